"""The same as a2a_agent.py, served by a2a-sdk 0.3, which knows A2A 0.3 alone.

    python a2a_agent_03.py 0.3 JSONRPC|HTTP+JSON
"""

import asyncio
import sys
from typing import Any

from a2a.server.agent_execution import RequestContext
from a2a.server.apps import A2ARESTFastAPIApplication, A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryPushNotificationConfigStore, InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentSkill, Part, TextPart
from a2a.utils import new_agent_text_message, new_task
from a2a_scripted import ScriptedExecutor, serve
from starlette.applications import Starlette


class Executor(ScriptedExecutor):
    def text(self, text: str) -> Any:
        return Part(root=TextPart(text=text))

    def message(self, text: str, context_id: str) -> Any:
        return new_agent_text_message(text, context_id)

    def task(self, context: RequestContext) -> Any:
        return new_task(context.message)

    async def ask(self, updater: TaskUpdater, question: Any) -> None:
        await updater.requires_input(question, final=True)


def card(name: str, url: str, binding: str) -> AgentCard:
    return AgentCard(
        name=name,
        description="Served by the official SDK",
        version="1.2.3",
        url=url,
        preferred_transport=binding,
        protocol_version="0.3.0",
        supports_authenticated_extended_card=True,
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="echo", name="Echo", description="Says it again", tags=["echo"])],
    )


def main(_: str, binding: str) -> None:
    executor = Executor()

    def app_at(url: str) -> Starlette:
        handler = DefaultRequestHandler(
            agent_executor=executor,
            task_store=InMemoryTaskStore(),
            push_config_store=InMemoryPushNotificationConfigStore(),
        )
        application = A2AStarletteApplication if binding == "JSONRPC" else A2ARESTFastAPIApplication
        full = card("Official, in full", url, binding)
        return application(
            agent_card=card("Official", url, binding), http_handler=handler, extended_agent_card=full
        ).build()

    asyncio.run(serve(app_at, executor))


if __name__ == "__main__":
    main(*sys.argv[1:])

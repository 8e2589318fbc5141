"""An agent served by a2a-sdk 1 that has every operation, in one version of A2A and one binding.

    python a2a_agent.py 1.0|0.3 JSONRPC|HTTP+JSON
"""

import asyncio
import sys
from typing import Any

from a2a.helpers.proto_helpers import new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import RequestContext
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryPushNotificationConfigStore, InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from a2a_scripted import ScriptedExecutor, serve
from starlette.applications import Starlette


class Executor(ScriptedExecutor):
    def text(self, text: str) -> Any:
        return new_text_part(text)

    def message(self, text: str, context_id: str) -> Any:
        return new_text_message(text, context_id=context_id)

    def task(self, context: RequestContext) -> Any:
        return new_task_from_user_message(context.message)

    async def ask(self, updater: TaskUpdater, question: Any) -> None:
        await updater.requires_input(question)


def card(name: str, url: str, version: str, binding: str) -> AgentCard:
    return AgentCard(
        name=name,
        description="Served by the official SDK",
        version="1.2.3",
        supported_interfaces=[AgentInterface(url=url, protocol_binding=binding, protocol_version=version)],
        capabilities=AgentCapabilities(streaming=True, push_notifications=True, extended_agent_card=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="echo", name="Echo", description="Says it again", tags=["echo"])],
    )


def main(version: str, binding: str) -> None:
    executor = Executor()

    def app_at(url: str) -> Starlette:
        served = card("Official", url, version, binding)
        handler = DefaultRequestHandler(
            agent_executor=executor,
            task_store=InMemoryTaskStore(),
            agent_card=served,
            push_config_store=InMemoryPushNotificationConfigStore(),
            extended_agent_card=card("Official, in full", url, version, binding),
        )
        old = version == "0.3"
        routes = (
            create_jsonrpc_routes(handler, "/", enable_v0_3_compat=old)
            if binding == "JSONRPC"
            else create_rest_routes(handler, enable_v0_3_compat=old)
        )
        return Starlette(routes=[*create_agent_card_routes(served), *routes])

    asyncio.run(serve(app_at, executor))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""What the agents of a2a_agent.py and a2a_agent_03.py do, in the words that a2a-sdk 1 and 0.3 share."""

import asyncio
import re
import socket
from abc import abstractmethod
from typing import Any

import uvicorn
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


class ScriptedExecutor(AgentExecutor):
    """The first word of a message says what happens.

    `message …` is answered with a bare message, `fail …` fails, `ask …` pauses, `parts …` gives every part back,
    `hold …` says `Held ` and waits; anything else is said again in chunks.
    """

    def __init__(self) -> None:
        self.released = asyncio.Event()

    @abstractmethod
    def text(self, text: str) -> Any:
        """A part."""

    @abstractmethod
    def message(self, text: str, context_id: str) -> Any:
        """A message of the agent, of no task."""

    @abstractmethod
    def task(self, context: RequestContext) -> Any:
        """The task that a message begins."""

    @abstractmethod
    async def ask(self, updater: TaskUpdater, question: Any) -> None:
        """Pauses."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        words = context.get_user_input()
        updater = TaskUpdater(event_queue, context.task_id or "", context.context_id or "")
        if words.startswith("message"):
            await event_queue.enqueue_event(self.message(f"Bare: {words}", updater.context_id))
            return
        if context.current_task is None:
            await event_queue.enqueue_event(self.task(context))
        await updater.start_work()
        if words.startswith("fail"):
            await updater.failed(updater.new_agent_message([self.text("Rate limit exceeded: sk-secret")]))
        elif words.startswith("ask"):
            await self.ask(updater, updater.new_agent_message([self.text("Which one?")]))
        elif words.startswith("parts"):
            await updater.add_artifact(list(context.message.parts), artifact_id="again")
            await updater.complete()
        else:
            await self._say(updater, words)

    async def _say(self, updater: TaskUpdater, words: str) -> None:
        chunks = re.findall(r"\S+\s*", words)
        if words.startswith("hold"):
            chunks.insert(0, "Held ")
        for number, chunk in enumerate(chunks):
            await updater.add_artifact([self.text(chunk)], artifact_id="answer", append=number > 0)
            if chunk == "Held ":
                await self.released.wait()
        await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id or "", context.context_id or "").cancel()

    async def release(self, _: Request) -> JSONResponse:
        self.released.set()
        self.released = asyncio.Event()
        return JSONResponse({})


async def serve(app_at: Any, executor: ScriptedExecutor) -> None:
    """Says `ready URL` once it listens, at a free port; `app_at` makes the application for the URL."""
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    app: Starlette = app_at(url)
    app.routes.append(Route("/release", executor.release, methods=["POST"]))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    print(f"ready {url}", flush=True)  # The socket listens: what comes before the server is up waits in its queue.
    await serving

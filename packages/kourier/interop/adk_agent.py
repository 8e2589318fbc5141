"""An ADK agent served over A2A, as a user of ADK writes one; its model is a script: no network, no key.

    python adk_agent.py plain|hitl 1.0|0.3 PORT

plain: `to_a2a(agent)` and nothing else. hitl: with the adapter beside this file. 1.0 or 0.3 is what the card offers:
a2a-sdk 1 speaks both, a2a-sdk 0.3 its own alone. PORT 0 is a free one. Says `ready URL` once it
listens. `GET URL/runs` lists the tools that ran and the holds, `POST URL/release`
lets a `hold` go on.
"""

import asyncio
import re
import socket
import sys
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from google.adk.a2a.utils.agent_card_builder import AgentCardBuilder
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.tools.function_tool import FunctionTool
from google.genai import types
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

RUNS: list[dict[str, Any]] = []
RELEASED = asyncio.Event()


def get_pods(namespace: str, limit: int) -> dict:
    """Lists pods."""
    RUNS.append({"name": "get_pods", "args": {"namespace": namespace, "limit": limit}})
    return {"pods": ["web-0", "web-1"][:limit]}


def get_quota(namespace: str) -> dict:
    """Tells a namespace's quota."""
    RUNS.append({"name": "get_quota", "args": {"namespace": namespace}})
    return {"cpu": 8}


def read_logs(name: str) -> dict:
    """Reads a pod's logs."""
    RUNS.append({"name": "read_logs", "args": {"name": name}})
    return {"error": f"pod {name} not found"}


def crash(name: str) -> dict:
    """Raises, as a tool does that forgot its errors."""
    raise RuntimeError(f"Rate limit exceeded for {name}: sk-secret")


def delete_pod(namespace: str, name: str, grace: int) -> dict:
    """Deletes a pod."""
    RUNS.append({"name": "delete_pod", "args": {"namespace": namespace, "name": name, "grace": grace}})
    return {"deleted": name}


CALLS = {
    "look": [("get_pods", {"namespace": "prod", "limit": 2}), ("get_quota", {"namespace": "prod"})],
    "logs": [("read_logs", {"name": "web-9"})],
    "crash": [("crash", {"name": "web-9"})],
    "delete": [("delete_pod", {"namespace": "prod", "name": "web-0", "grace": 30})],
    "clear": [("delete_pod", {"namespace": "prod", "name": f"web-{n}", "grace": n}) for n in (0, 1)],
    "huge": [("delete_pod", {"namespace": "prod", "name": "web-0", "grace": 2**53 + 1})],
}


class ScriptedModel(BaseLlm):
    """The first word of a message says what happens.

    A word of CALLS calls these tools, then tells what they gave; `think` thinks aloud first, and `hold` waits.
    """

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncIterator[LlmResponse]:
        said = [part for content in llm_request.contents if content.role == "user" for part in content.parts or []]
        last = llm_request.contents[-1].parts or []
        words = re.sub(r"^\[Web: .*\]\n", "", next((p.text for p in reversed(said) if _is_message(p)), ""))
        if results := [part.function_response for part in last if part.function_response]:
            chunks = ["They gave: ", "; ".join(_told(result.response) for result in results)]
        elif (word := words.split(" ")[0]) in CALLS:
            calls = [types.Part.from_function_call(name=name, args=args) for name, args in CALLS[word]]
            yield LlmResponse(content=types.Content(role="model", parts=calls))
            return
        else:
            chunks = ["Message ", f"{sum(map(_is_message, said))}: ", words]
        thoughts = [_thought("Two sources "), _thought("agree.")] if words.startswith("think") else []
        for thought in thoughts if stream else []:
            yield LlmResponse(content=_content(thought), partial=True)
        for number, chunk in enumerate(chunks):
            if number == 1 and words.startswith("hold"):
                RUNS.append({"name": "hold", "args": {}})
                await RELEASED.wait()
            if stream:
                yield LlmResponse(content=_content(types.Part(text=chunk)), partial=True)
        whole = [_thought("Two sources agree.")] if thoughts else []
        yield LlmResponse(content=_content(*whole, types.Part(text="".join(chunks))), partial=False)


def _is_message(part: types.Part) -> bool:
    return bool(part.text)


def _told(response: dict[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in response.items())


def _thought(text: str) -> types.Part:
    return types.Part(text=text, thought=True)


def _content(*parts: types.Part) -> types.Content:
    return types.Content(role="model", parts=list(parts))


async def _runs(_: Request) -> JSONResponse:
    return JSONResponse(RUNS)


async def _release(_: Request) -> JSONResponse:
    RELEASED.set()
    return JSONResponse({})


async def _app(style: str, wire: str, url: str) -> Starlette:
    agent = LlmAgent(
        name="operator",
        description="Looks after pods",
        model=ScriptedModel(model="scripted"),
        tools=[get_pods, get_quota, read_logs, crash, FunctionTool(delete_pod, require_confirmation=True)],
    )
    factory = None
    card = await AgentCardBuilder(agent=agent, rpc_url=url).build()
    if style == "hitl":
        from hitl_adapter import hitl_card, hitl_executor  # Needs a2a-sdk 1.

        card, factory = await hitl_card(agent, url), hitl_executor
    if hasattr(card, "supported_interfaces"):
        card.supported_interfaces[0].protocol_version = wire
    app = to_a2a(agent, agent_card=card, agent_executor_factory=factory)
    app.routes.append(Route("/runs", _runs))
    app.routes.append(Route("/release", _release, methods=["POST"]))
    return app


async def _main(style: str, wire: str, port: str) -> None:
    listening = socket.create_server(("127.0.0.1", int(port)))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(await _app(style, wire, url), log_level="warning"))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    print(f"ready {url}", flush=True)  # The socket listens: what comes before the server is up waits in its queue.
    await serving


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))

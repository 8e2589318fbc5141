"""kagent's human-in-the-loop extension for an ADK agent that is served over A2A (google-adk 2, a2a-sdk 1).

ADK has a tool's confirmation in a format of its own: a call of `adk_request_confirmation` that the client answers with
a function response. This says the same in the extension's words: a pause becomes a `tool_approval_request`, and the
`tool_approval_response` becomes the function response that ADK waits for.

    card = await hitl_card(agent, url)
    app = to_a2a(agent, agent_card=card, agent_executor_factory=hitl_executor)
"""

from a2a.server.agent_execution import RequestContext
from a2a.types import AgentCapabilities, AgentCard, AgentExtension, Message, Part, Role
from a2a.types import SendMessageRequest, TaskState, TaskStatusUpdateEvent
from a2a.utils.errors import InvalidRequestError
from google.adk.a2a.converters.request_converter import AgentRunRequest, convert_a2a_request_to_agent_run_request
from google.adk.a2a.executor.a2a_agent_executor import A2aAgentExecutor
from google.adk.a2a.executor.config import A2aAgentExecutorConfig, ExecuteInterceptor
from google.adk.a2a.executor.executor_context import ExecutorContext
from google.adk.a2a.utils.agent_card_builder import AgentCardBuilder
from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.run_config import StreamingMode
from google.adk.runners import Runner
from google.protobuf.json_format import MessageToDict, ParseDict

HITL = "https://kagent.dev/extensions/hitl/v1"
CONFIRMATION = "adk_request_confirmation"


async def hitl_card(agent: BaseAgent, url: str) -> AgentCard:
    """ADK's own card, with the extension: a client activates only what a card lists."""
    capabilities = AgentCapabilities(streaming=True, extensions=[AgentExtension(uri=HITL)])
    return await AgentCardBuilder(agent=agent, rpc_url=url, capabilities=capabilities).build()


def hitl_executor(runner: Runner) -> A2aAgentExecutor:
    """ADK's newer executor, which streams an answer as artifacts, between the two translations."""
    translation = ExecuteInterceptor(before_agent=_response_to_adk, after_agent=_pause_to_request)
    config = A2aAgentExecutorConfig(request_converter=_streaming, execute_interceptors=[translation])
    return A2aAgentExecutor(runner=runner, config=config, force_new_version=True)


def _streaming(context: RequestContext, convert_part) -> AgentRunRequest:
    request = convert_a2a_request_to_agent_run_request(context, convert_part)
    request.run_config.streaming_mode = StreamingMode.SSE
    return request


async def _pause_to_request(_: ExecutorContext, event: TaskStatusUpdateEvent) -> TaskStatusUpdateEvent:
    if event.status.state != TaskState.TASK_STATE_INPUT_REQUIRED:
        return event
    calls = [MessageToDict(part.data) for part in event.status.message.parts if part.HasField("data")]
    if not calls or any(call["name"] != CONFIRMATION for call in calls):
        return event  # Another long-running tool waits too: an approval alone would not let the task go on.
    tools = []
    for call in calls:
        original = call["args"]["originalFunctionCall"]
        named = {"id": call["id"], "call_id": original["id"], "name": original["name"]}
        tools.append({**named, "args": original.get("args", {})})
    hints = dict.fromkeys(call["args"]["toolConfirmation"].get("hint", "") for call in calls)
    hint = " ".join(filter(None, hints))
    payload = {"type": "tool_approval_request", "tools": tools} | ({"hint": hint} if hint else {})
    fallback = "Approval is required for: " + ", ".join(tool["name"] for tool in tools)
    message = Message(role=Role.ROLE_AGENT, message_id=event.status.message.message_id, extensions=[HITL])
    message.parts.append(Part(text=hint or fallback))
    message.metadata.update({HITL: payload})
    event.status.message.CopyFrom(message)
    return event


async def _response_to_adk(context: RequestContext) -> RequestContext:
    response = _payload(context.message)
    if response.get("type") != "tool_approval_response":
        return context
    asked = [tool["id"] for tool in _payload(context.current_task.status.message).get("tools", [])]
    decided = {approval["id"]: approval["approved"] for approval in response["approvals"]}
    if sorted(asked) != sorted(approval["id"] for approval in response["approvals"]):
        raise InvalidRequestError(message="the answer does not decide each waiting tool once")
    message = Message()
    message.CopyFrom(context.message)  # The task's history keeps what was sent.
    message.ClearField("parts")
    for asked_id in asked:
        confirmation = {"id": asked_id, "name": CONFIRMATION, "response": {"confirmed": decided[asked_id] is True}}
        message.parts.append(ParseDict({"data": confirmation, "metadata": {"adk_type": "function_response"}}, Part()))
    request = SendMessageRequest(message=message, configuration=context.configuration)
    return RequestContext(
        call_context=context.call_context,
        request=request,
        task_id=context.task_id,
        context_id=context.context_id,
        task=context.current_task,
    )


def _payload(message: Message) -> dict:
    return MessageToDict(message.metadata).get(HITL, {}) if HITL in message.extensions else {}

"""Calls an agent through the official Python SDK (a2a-sdk 1), and prints what came of it as JSON.

    a2a_client.py URL VERSION BINDING

VERSION is 1.0 or 0.3, BINDING is JSONRPC or HTTP+JSON.
"""

import asyncio
import json
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.compat.v0_3 import conversions
from a2a.compat.v0_3 import types as a2a_0_3
from a2a.types import a2a_pb2 as a2a
from google.protobuf.json_format import MessageToDict, ParseDict

from webhook_receiver import WebhookReceiver

SECRETS = {"token": "token", "authentication": {"scheme": "Bearer", "credentials": "secret"}}


def saying(text, configuration=None, **more):
    message = {"messageId": str(uuid.uuid4()), "role": "ROLE_USER", "parts": [{"text": text}], **more}
    return ParseDict({"message": message, "configuration": configuration or {}}, a2a.SendMessageRequest())


async def told(stream):
    return [MessageToDict(event) async for event in stream]


async def error_of(call):
    try:
        await call
    except Exception as error:
        return type(error).__name__
    return None


async def notified(receiver, version):
    """The next notification, as the SDK reads it, in the words of 1.0; and what it was let in by."""
    headers, body = await asyncio.to_thread(receiver.next)
    if version == "1.0":
        told = ParseDict(body, a2a.StreamResponse())
    else:
        told = a2a.StreamResponse(task=conversions.to_core_task(a2a_0_3.Task.model_validate(body)))
    return {
        "told": MessageToDict(told),
        "token": headers.get("x-a2a-notification-token"),
        "authorization": headers.get("authorization"),
    }


async def webhooks(client, version, binding, url):
    """Each operation on the webhooks of a task that waits. The SDK has no list and no deletion for 0.3 over HTTP."""
    task_id = (await told(client.send_message(saying("ask me"))))[0]["task"]["id"]
    config = ParseDict({"taskId": task_id, "id": "c1", "url": url, **SECRETS}, a2a.TaskPushNotificationConfig())
    named = {"task_id": task_id, "id": "c1"}
    get = a2a.GetTaskPushNotificationConfigRequest(**named)
    seen = {
        "taskId": task_id,
        "created": MessageToDict(await client.create_task_push_notification_config(config)),
        "read": MessageToDict(await client.get_task_push_notification_config(get)),
    }
    if (version, binding) != ("0.3", "HTTP+JSON"):
        every = a2a.ListTaskPushNotificationConfigsRequest(task_id=task_id)
        seen["listed"] = MessageToDict(await client.list_task_push_notification_configs(every))
        await client.delete_task_push_notification_config(a2a.DeleteTaskPushNotificationConfigRequest(**named))
        seen["left"] = MessageToDict(await client.list_task_push_notification_configs(every)).get("configs", [])
        seen["gone"] = await error_of(client.get_task_push_notification_config(get))
    return seen


async def notifications(client, version):
    """What the webhook of a message gets, from its question to the answer."""
    with WebhookReceiver() as receiver:
        hook = {"taskPushNotificationConfig": {"id": "c1", "url": receiver.url, **SECRETS}}
        asked = (await told(client.send_message(saying("ask me", hook))))[0]["task"]
        seen = [await notified(receiver, version), await notified(receiver, version)]
        await told(client.send_message(saying("here", taskId=asked["id"], contextId=asked["contextId"])))
        return seen + [await notified(receiver, version), await notified(receiver, version)]


async def main(url, version, binding):
    # A client that names no version gets the card of 0.3, and speaks what it says.
    headers = {"A2A-Version": "1.0"} if version == "1.0" else {}
    async with httpx.AsyncClient(headers=headers, timeout=20) as http:
        card = await A2ACardResolver(http, url).get_agent_card()

        def client_of(streaming):
            config = ClientConfig(httpx_client=http, supported_protocol_bindings=[binding], streaming=streaming)
            return ClientFactory(config).create(card)

        client, streaming = client_of(False), client_of(True)
        seen = {"card": MessageToDict(card)}
        seen["sent"] = await told(client.send_message(saying("one two")))
        task_id = seen["sent"][0]["task"]["id"]
        seen["read"] = MessageToDict(await client.get_task(a2a.GetTaskRequest(id=task_id, history_length=0)))
        seen["streamed"] = await told(streaming.send_message(saying("one two")))
        asked = (await told(client.send_message(saying("ask me"))))[0]["task"]
        again = {"taskId": asked["id"], "contextId": asked["contextId"]}
        seen["asked"] = asked
        seen["answered"] = await told(client.send_message(saying("here", **again)))
        held = await told(client.send_message(saying("hold on", {"returnImmediately": True})))
        held_id = held[0]["task"]["id"]
        stream = streaming.subscribe(a2a.SubscribeToTaskRequest(id=held_id))
        seen["subscribed"] = [MessageToDict(await anext(stream))]
        seen["canceled"] = MessageToDict(await client.cancel_task(a2a.CancelTaskRequest(id=held_id)))
        seen["subscribed"] += await told(stream)
        seen["extended"] = MessageToDict(await client.get_extended_agent_card(a2a.GetExtendedAgentCardRequest()))
        if version == "1.0":
            seen["listed"] = MessageToDict(await client.list_tasks(a2a.ListTasksRequest(page_size=2)))
        with WebhookReceiver() as receiver:
            seen["webhooks"] = await webhooks(client, version, binding, receiver.url)
        seen["notifications"] = await notifications(client, version)
        seen["errors"] = {
            "get": await error_of(client.get_task(a2a.GetTaskRequest(id="none"))),
            "cancel": await error_of(client.cancel_task(a2a.CancelTaskRequest(id=task_id))),
            "subscribe": await error_of(told(streaming.subscribe(a2a.SubscribeToTaskRequest(id="none")))),
        }
        print(json.dumps(seen))


asyncio.run(main(*sys.argv[1:]))

"""Calls an agent through the official Python SDK of A2A 0.3 (a2a-sdk 0.3), and prints what came of it as JSON.

    a2a_client_0_3.py URL BINDING

BINDING is JSONRPC or HTTP+JSON.
"""

import asyncio
import json
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import (
    GetTaskPushNotificationConfigParams,
    Message,
    Part,
    PushNotificationAuthenticationInfo,
    PushNotificationConfig,
    Role,
    Task,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
    TextPart,
)

from webhook_receiver import WebhookReceiver


def saying(text, **more):
    return Message(message_id=str(uuid.uuid4()), role=Role.user, parts=[Part(root=TextPart(text=text))], **more)


def plain(value):
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


async def told(stream):
    return [plain(event[1] or event[0]) async for event in stream]


async def error_of(call):
    try:
        await call
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


async def webhook(client):
    """Sets and reads the webhook of a task that waits, and goes on to the answer. The SDK knows no more operations."""
    with WebhookReceiver() as receiver:
        asked = (await told(client.send_message(saying("ask me"))))[0]
        authentication = PushNotificationAuthenticationInfo(schemes=["Bearer"], credentials="secret")
        config = PushNotificationConfig(id="c1", url=receiver.url, token="token", authentication=authentication)
        named = GetTaskPushNotificationConfigParams(id=asked["id"], push_notification_config_id="c1")
        setting = TaskPushNotificationConfig(task_id=asked["id"], push_notification_config=config)
        seen = {"taskId": asked["id"], "url": receiver.url}
        seen["created"] = plain(await client.set_task_callback(setting))
        seen["read"] = plain(await client.get_task_callback(named))
        seen["told"] = [await notified(receiver)]
        await told(client.send_message(saying("here", task_id=asked["id"], context_id=asked["contextId"])))
        seen["told"] += [await notified(receiver), await notified(receiver)]
        return seen


async def notified(receiver):
    headers, body = await asyncio.to_thread(receiver.next)
    assert headers["x-a2a-notification-token"] == "token", headers
    assert headers["authorization"] == "Bearer secret", headers
    return plain(Task.model_validate(body))


async def main(url, binding):
    async with httpx.AsyncClient(timeout=20) as http:
        card = await A2ACardResolver(http, url).get_agent_card()

        def client_of(streaming, polling=False):
            config = ClientConfig(
                httpx_client=http, supported_transports=[binding], streaming=streaming, polling=polling
            )
            return ClientFactory(config).create(card)

        client, streaming = client_of(False), client_of(True)
        seen = {"card": plain(card)}
        seen["sent"] = await told(client.send_message(saying("one two")))
        task_id = seen["sent"][0]["id"]
        seen["read"] = plain(await client.get_task(TaskQueryParams(id=task_id, history_length=0)))
        seen["streamed"] = await told(streaming.send_message(saying("one two")))
        asked = (await told(client.send_message(saying("ask me"))))[0]
        seen["asked"] = asked
        again = {"task_id": asked["id"], "context_id": asked["contextId"]}
        seen["answered"] = await told(client.send_message(saying("here", **again)))
        held = await told(client_of(False, polling=True).send_message(saying("hold on")))
        stream = streaming.resubscribe(TaskIdParams(id=held[0]["id"]))
        first = await anext(stream)
        seen["subscribed"] = [plain(first[1] or first[0])]
        seen["canceled"] = plain(await client.cancel_task(TaskIdParams(id=held[0]["id"])))
        seen["subscribed"] += await told(stream)
        seen["extended"] = plain(await client.get_card())
        seen["webhook"] = await webhook(client)
        seen["errors"] = {
            "get": await error_of(client.get_task(TaskQueryParams(id="none"))),
            "cancel": await error_of(client.cancel_task(TaskIdParams(id=task_id))),
        }
        print(json.dumps(seen))


asyncio.run(main(*sys.argv[1:]))

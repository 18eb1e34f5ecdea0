/** Notification channels: set up, tried and removed by operators. What a channel may reach is said on the machine. */
import type { Failure, JsonValue, Result } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import type { ChannelSettings } from 'rubicon-runtime/ports'
import { toSignedBy } from '../../people/principal.ts'
import { toProblemReply } from '../problems/problem.ts'
import {
  changedChannel,
  channelList,
  channelResult,
  newChannel,
  shownChannel,
} from '../schemas/channel.ts'
import { type Reply, type Route, toReply } from '../schemas/route.ts'
import { buildClosedObject, buildWholeObject, string } from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

export function createChannelRoutes({ engine: { channels } }: ServerParts): readonly Route[] {
  return [...createChannelListRoutes(channels), ...createChannelChangeRoutes(channels)]
}

function createChannelListRoutes(channels: Engine['channels']): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/channels',
      operation: 'listChannels',
      summary: 'the notification channels, by name, and how each stands',
      roles: ['operator', 'auditor'],
      reply: channelList,
      async handle() {
        return toReply({ channels: await channels.list() })
      },
    },
    {
      method: 'GET',
      path: '/v1/channels/:name',
      operation: 'getChannel',
      summary: 'a notification channel, and how it stands',
      roles: ['operator', 'auditor'],
      reply: shownChannel,
      async handle({ params: { name = '' } }) {
        return toAnswer(await channels.find(name))
      },
    },
  ]
}

function createChannelChangeRoutes(channels: Engine['channels']): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/channels',
      operation: 'addChannel',
      summary: 'set up a notification channel; secrets are named and never sent',
      roles: ['operator'],
      body: newChannel,
      reply: shownChannel,
      status: 201,
      async handle({ principal, body }) {
        const { name, ...settings } = parseNewChannel(body)
        return toAnswer(await channels.add(name, settings, toSignedBy(principal).by), 201)
      },
    },
    {
      method: 'PUT',
      path: '/v1/channels/:name',
      operation: 'changeChannel',
      summary: 'change a notification channel as it was seen: `revision` says which',
      roles: ['operator'],
      body: changedChannel,
      reply: shownChannel,
      async handle({ principal, params: { name = '' }, body }) {
        const { revision, ...settings } = parseChangedChannel(body)
        return toAnswer(await channels.change(name, settings, revision, toSignedBy(principal).by))
      },
    },
    {
      method: 'DELETE',
      path: '/v1/channels/:name',
      operation: 'removeChannel',
      summary: 'remove a notification channel; what still waits for it is not sent',
      roles: ['operator'],
      reply: buildWholeObject({ removed: string }),
      async handle({ params: { name = '' } }) {
        const removed = await channels.remove(name)
        return removed.ok ? toReply({ removed: removed.value.name }) : toProblemReply(removed.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/channels/:name/test',
      operation: 'testChannel',
      summary: 'send a test message, and say what came back',
      roles: ['operator'],
      body: buildClosedObject({}),
      beside: true,
      reply: channelResult,
      async handle({ params: { name = '' } }) {
        return toAnswer(await channels.test(name))
      },
    },
  ]
}

function toAnswer(result: Result<object, Failure>, status = 200): Reply {
  return result.ok ? toReply(result.value, status) : toProblemReply(result.error)
}

function parseNewChannel(body: JsonValue): ChannelSettings & { readonly name: string } {
  return body as unknown as ChannelSettings & { readonly name: string }
}

function parseChangedChannel(body: JsonValue): ChannelSettings & { readonly revision: number } {
  return body as unknown as ChannelSettings & { readonly revision: number }
}

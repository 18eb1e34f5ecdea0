/** A notification channel, as it is set up and as it stands. */
import { type JsonObject, LIMITS } from 'rubicon-kernel'
import type { ListedChannel } from 'rubicon-runtime/engine/notices'
import {
  type ChannelKind,
  type ChannelResult,
  type ChannelStanding,
  MAIL_SECURITIES,
  NOTICE_KINDS,
  NOTICE_SEVERITIES,
} from 'rubicon-runtime/ports'
import {
  allowNull,
  boolean,
  buildArray,
  buildClosedObject,
  buildEnum,
  buildWholeObject,
  count,
  identifier,
  integer,
  listOf,
  moment,
  nameSchema,
  string,
  text,
} from './shape.ts'

/** The name of a secret in the channels file of the machine; never its value. */
const secretName = nameSchema(
  'SecretName',
  buildClosedObject({ secret: { type: 'string', pattern: '^[A-Za-z0-9_]{1,64}$' } }, ['secret']),
)

const address: JsonObject = { anyOf: [text(2_048), secretName] }
const mailAddress = text(254)

function buildPlace(kind: ChannelKind, members: Readonly<Record<string, JsonObject>>): JsonObject {
  const optional = ['signing', 'user', 'password']
  const required = Object.keys(members).filter((name) => !optional.includes(name))
  return buildClosedObject({ kind: buildEnum(kind), ...members }, ['kind', ...required])
}

const place = nameSchema('ChannelPlace', {
  anyOf: [
    buildPlace('webhook', { url: address, signing: secretName }),
    buildPlace('slack', { url: address }),
    buildPlace('mail', {
      host: text(253),
      port: { ...integer, minimum: 1, maximum: 65_535 },
      security: buildEnum(...MAIL_SECURITIES),
      from: mailAddress,
      to: { ...listOf(mailAddress, LIMITS.channelAddressees), minItems: 1 },
      user: text(254),
      password: secretName,
    }),
  ],
})

const noticeKind = nameSchema('NoticeKind', buildEnum(...NOTICE_KINDS))
const severity = nameSchema('NoticeSeverity', buildEnum(...NOTICE_SEVERITIES))

const settings = {
  place,
  tells: listOf(noticeKind, NOTICE_KINDS.length),
  least: severity,
  quiet_s: { ...count, maximum: LIMITS.channelQuietS },
  paused: boolean,
}

export const newChannel: JsonObject = nameSchema(
  'NewChannel',
  buildClosedObject({ name: identifier, ...settings }, ['name', ...Object.keys(settings)]),
)

/** `revision`: of the channel that whoever changes it has seen. */
export const changedChannel: JsonObject = nameSchema(
  'ChangedChannel',
  buildClosedObject({ revision: count, ...settings }, ['revision', ...Object.keys(settings)]),
)

export const channelResult: JsonObject = nameSchema(
  'ChannelResult',
  buildWholeObject<ChannelResult>({ at: moment, ok: boolean, said: string, notices: count }),
)

const standing = nameSchema(
  'ChannelStanding',
  buildWholeObject<ChannelStanding>({
    attempts: count,
    next_at: allowNull(moment),
    last: allowNull(channelResult),
    given_up: allowNull(buildWholeObject({ at: moment, notices: count, said: string })),
  }),
)

export const shownChannel: JsonObject = nameSchema(
  'Channel',
  buildWholeObject<ListedChannel>({
    ...settings,
    name: string,
    revision: count,
    changed_at: moment,
    changed_by: allowNull(string),
    standing,
    waiting: count,
    problem: allowNull(string),
  }),
)

export const channelList: JsonObject = buildWholeObject({ channels: buildArray(shownChannel) })

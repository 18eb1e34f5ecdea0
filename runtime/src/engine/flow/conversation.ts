/**
 * Conversations: which flows of an agent were opened as calls of one of its clients, one after the other.
 *
 * K1 a conversation is a name within one agent. It is no flow and carries no authority: nothing is decided on it, and what its
 *    calls do, spend or leave undone is theirs alone.
 * K2 a flow has the conversation that it was opened in, written in the unit that opens it, or none.
 */
import { type Failure, isIdentifier } from 'rubicon-kernel'
import type { Store, Unit, Write } from '../../ports/store.ts'

const FLOWS = 'flows'

/** Null: it may be one. */
export function checkConversation(conversation: unknown): Failure | null {
  if (conversation === undefined) return null
  if (typeof conversation === 'string' && isIdentifier(conversation)) return null
  return {
    code: 'SCHEMA_INVALID',
    summary: 'the conversation has no name that can be kept',
    why: 'people look for calls by it, and see it in lists',
    fix: 'use 1 to 128 letters, digits and . _ : @ -',
  }
}

/** For the unit that opens the flow. */
export function buildConversationUnit(agent: string, conversation: string, dfid: string): Unit {
  const body = { conversation }
  const groups = [FLOWS, toGroup(agent, conversation)]
  return {
    guards: [],
    writes: groups.map((group): Write => {
      return { kind: 'put_record', record: 'conversation', group, key: dfid, body }
    }),
  }
}

/** For the unit that erases the flow: a client has chosen the name. */
export async function buildForgottenConversation(
  store: Pick<Store, 'readRecord'>,
  agent: string,
  dfid: string,
): Promise<readonly Write[]> {
  const conversation = await readConversation(store, dfid)
  if (conversation === null) return []
  return [FLOWS, toGroup(agent, conversation)].map((group): Write => {
    return { kind: 'drop_record', record: 'conversation', group, key: dfid }
  })
}

/** Null: it was opened in none. */
export async function readConversation(
  store: Pick<Store, 'readRecord'>,
  dfid: string,
): Promise<string | null> {
  return (await store.readRecord('conversation', FLOWS, dfid))?.body.conversation ?? null
}

export type ConversationRange = {
  /** Only flows before this dfid, and only from that one on. */
  readonly before?: string
  readonly from?: string
  readonly limit: number
}

/** Its flows by their dfids, newest first. */
export async function listConversation(
  store: Pick<Store, 'listRecords'>,
  agent: string,
  conversation: string,
  { before, from, limit }: ConversationRange,
): Promise<readonly string[]> {
  // A range of records includes its end; whoever goes on knows the last one already.
  const most = before === undefined ? limit : limit + 1
  const until = before === undefined ? {} : { until: before }
  const found = await store.listRecords('conversation', toGroup(agent, conversation), {
    ...until,
    newest: true,
    limit: most,
  })
  return found
    .map(({ key }) => key)
    .filter((dfid) => (before === undefined || dfid < before) && (from ?? '') <= dfid)
    .slice(0, limit)
}

/** Neither has a space in it. */
function toGroup(agent: string, conversation: string): string {
  return `${agent} ${conversation}`
}

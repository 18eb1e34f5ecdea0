/**
 * Passes what servers say without being asked to those who follow, and keeps the newest for those who ask for it later.
 *
 * 1. A server that floods is cut: of a list that changes again and again one word passes in a while, of the progress of a
 *    call and of the log so many in a second. Nobody's answer waits for a notice.
 * 2. What is told of a call is told of one agent. A line of a log names no call: it passes only while calls of a single
 *    agent are under way at its server.
 * 3. What is said of a call is kept for a minute: it may quote what the agent asked for, and outlives no flow for longer.
 */
import { toCanonicalText } from 'rubicon-kernel'
import { MCP_LIMITS } from '../mcp-limits.ts'
import type { CallProgress, ListName, ServerLog, ServerNotice } from './server-notice.ts'

const SECOND_MS = 1_000

export type NumberedNotice = { readonly number: number; readonly notice: ServerNotice }
export type NoticeHandler = (notice: ServerNotice) => void

type KeptNotice = NumberedNotice & { readonly at: number }

type Counted = { since: number; count: number }

export class ServerNotices {
  readonly #now: () => number
  readonly #followers = new Set<NoticeHandler>()
  readonly #changing = new Map<ListName, NodeJS.Timeout>()
  readonly #counted = new Map<string, Counted>()
  /** Server → agent → calls under way. */
  readonly #calls = new Map<string, Map<string, number>>()
  #kept: KeptNotice[] = []
  #last = 0

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Until it is called, what is returned. */
  follow(handler: NoticeHandler): () => void {
    this.#followers.add(handler)
    return () => void this.#followers.delete(handler)
  }

  get last(): number {
    return this.#last
  }

  /** Those behind that number, as far as they are kept, that are for everybody or for that agent. */
  listAfter(number: number, agent: string): readonly NumberedNotice[] {
    this.#forgetOld()
    return this.#kept.filter((one) => one.number > number && isFor(one.notice, agent))
  }

  tellChanged(list: ListName): void {
    if (this.#changing.has(list)) return
    const timer = setTimeout(() => {
      this.#changing.delete(list)
      this.#tell({ kind: 'changed', list })
    }, MCP_LIMITS.changedMs)
    timer.unref()
    this.#changing.set(list, timer)
  }

  tellProgress(agent: string, call: string, progress: CallProgress): void {
    if (this.#isOften(`progress ${agent} ${call}`)) return
    this.#tell({ kind: 'progress', agent, call, ...progress })
  }

  tellLog(server: string, log: ServerLog): void {
    const [agent, other] = this.#calls.get(server)?.keys() ?? []
    if (agent === undefined || other !== undefined) return
    if (toCanonicalText(log.data).length > MCP_LIMITS.logLength) return
    if (!this.#isOften(`log ${server}`)) this.#tell({ kind: 'log', agent, server, ...log })
  }

  /** Ends with the returned function. */
  beginCall(server: string, agent: string): () => void {
    const agents = this.#calls.get(server) ?? new Map<string, number>()
    this.#calls.set(server, agents)
    agents.set(agent, (agents.get(agent) ?? 0) + 1)
    return () => {
      const others = (agents.get(agent) ?? 1) - 1
      if (others > 0) agents.set(agent, others)
      else agents.delete(agent)
    }
  }

  #isOften(key: string): boolean {
    const now = this.#now()
    const counted = this.#counted.get(key)
    if (counted !== undefined && now - counted.since < SECOND_MS) {
      counted.count += 1
      return counted.count > MCP_LIMITS.noticesPerSecond
    }
    // Those of calls that are over go with the first that comes after them.
    for (const [other, { since }] of this.#counted)
      if (now - since >= SECOND_MS) this.#counted.delete(other)
    this.#counted.set(key, { since: now, count: 1 })
    return false
  }

  #forgetOld(): void {
    const since = this.#now() - MCP_LIMITS.keptNoticesMs
    this.#kept = this.#kept.filter(({ notice, at }) => notice.kind === 'changed' || at > since)
  }

  #tell(notice: ServerNotice): void {
    this.#last += 1
    this.#kept.push({ number: this.#last, notice, at: this.#now() })
    this.#forgetOld()
    if (this.#kept.length > MCP_LIMITS.keptNotices) this.#kept.shift()
    for (const handler of this.#followers) handler(notice)
  }
}

export function isFor(notice: ServerNotice, agent: string): boolean {
  return notice.kind === 'changed' || notice.agent === agent
}

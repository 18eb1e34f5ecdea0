/** Where spans go: a collector that speaks OTLP over HTTP, a file of such requests, or memory. */
import { appendFile } from 'node:fs/promises'
import type { OtlpRequest, OtlpSpan } from './otlp.ts'

export interface TraceSink {
  /** `later`: it may work when tried again; `never`: it will not. */
  send(body: string): Promise<'sent' | 'later' | 'never'>
}

const REQUEST_MS = 10_000
/** As the protocol says: too many requests, and gateways that have nobody behind them now. */
const LATER: readonly number[] = [429, 502, 503, 504]

/** `base`: the address of the collector; spans go to `/v1/traces` below it. */
export function createOtlpSink(base: string): TraceSink {
  const url = new URL(base)
  const { username, password } = url
  url.username = ''
  url.password = ''
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`
  const secret = btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (username !== '') headers.authorization = `Basic ${secret}`
  return {
    async send(body) {
      const signal = AbortSignal.timeout(REQUEST_MS)
      const redirect = 'manual' as const
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect })
      await response.body?.cancel()
      if (response.ok) return 'sent'
      return LATER.includes(response.status) ? 'later' : 'never'
    },
  }
}

/** One request a line, as collectors read it from files. */
export function createFileSink(path: string): TraceSink {
  return {
    async send(body) {
      await appendFile(path, `${body}\n`)
      return 'sent'
    },
  }
}

/** Of our own making. */
function parseRequest(body: string): OtlpRequest {
  return JSON.parse(body) as OtlpRequest
}

export type MemorySink = TraceSink & {
  spans(): readonly OtlpSpan[]
  requests(): readonly OtlpRequest[]
}

export function createMemorySink(): MemorySink {
  const requests: OtlpRequest[] = []
  return {
    async send(body) {
      requests.push(parseRequest(body))
      return 'sent'
    },
    requests: () => requests,
    spans: () =>
      requests.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
  }
}

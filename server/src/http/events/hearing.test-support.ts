/** Listens to a server, or to a stream, as a test would: what was said so far, and when more was. */
import assert from 'node:assert/strict'
import type { HttpPlace } from '../agent-auth/client.ts'
import type { EventView } from './event-view.ts'

export type Hearing = {
  /** Everything that was said. */
  readonly text: () => string
  readonly events: () => readonly EventView[]
  /** The leaf that hello named. */
  readonly hello: () => number
  /** Until so many events were heard. */
  readonly until: (count: number) => Promise<readonly EventView[]>
  /** Until this was said. */
  readonly said: (words: string) => Promise<void>
  /** Until the other side hangs up. */
  readonly ended: Promise<void>
  readonly hangUp: () => void
}

export async function hear(
  { url, token, sign }: HttpPlace,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Hearing> {
  const gone = new AbortController()
  const authorization = `Bearer ${token}`
  const target = `/v1/events${query}`
  const proof = await sign?.({ method: 'GET', target, authorization, bytes: new Uint8Array() })
  const response = await fetch(`${url}${target}`, {
    headers: { authorization, ...proof, ...headers },
    signal: gone.signal,
  })
  assert.equal(response.status, 200, query)
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  const ear = new Ear()
  const ended = ear.take(response.body ?? new ReadableStream())
  const hearing = { ...ear.hearing(ended), hangUp: () => gone.abort() }
  await hearing.said('event: hello')
  return hearing
}

export class Ear {
  #text = ''
  #waiting: { readonly isMet: () => boolean; readonly resolve: () => void }[] = []

  hearing(ended: Promise<void>): Hearing {
    const until = (isMet: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        this.#waiting.push({ isMet, resolve })
        this.#look()
      })
    return {
      text: () => this.#text,
      events: () => eventsIn(this.#text),
      hello: () => Number(/event: hello\ndata: {"leaf":(-?\d+)}/.exec(this.#text)?.[1]),
      async until(count) {
        await until(() => eventsIn(this.text()).length >= count)
        return this.events()
      },
      said: (words) => until(() => this.#text.includes(words)),
      ended,
      hangUp: () => {},
    }
  }

  async take(body: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of body) {
        this.#text += decoder.decode(chunk, { stream: true })
        this.#look()
      }
    } catch {
      // It was cut off, by one side or the other.
    }
  }

  #look(): void {
    const met = this.#waiting.filter(({ isMet }) => isMet())
    this.#waiting = this.#waiting.filter((one) => !met.includes(one))
    for (const { resolve } of met) resolve()
  }
}

function eventsIn(text: string): readonly EventView[] {
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 2)
  return [...whole.matchAll(/^id: (\d+)\nevent: entry\ndata: (.*)\n\n/gm)].map(([, id, data]) => {
    const view = parseView(data ?? '')
    assert.equal(String(view.leaf), id)
    return view
  })
}

function parseView(data: string): EventView {
  return JSON.parse(data) as EventView
}

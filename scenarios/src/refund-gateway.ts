/**
 * A payment gateway on this machine, and the tool by which refunds for late flights are paid there: a manifest, so that what bounds the amount is data,
 * and can be told to a model before it writes.
 */
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { JsonObject } from 'rubicon-kernel'

export const REFUND = 'REFUND_DELAY'

export class RefundGateway {
  /** Every request to pay, also for what was paid. */
  readonly requests: string[] = []
  /** What was paid: idempotency key → what for. */
  readonly paid: Map<string, string> = new Map()
  /** Whom it tells before it answers. */
  onPaid: (booking: string) => Promise<unknown> = async () => {}
  /** What comes between the next payment and its answer; a failure loses the answer. */
  #next: () => Promise<void> = sendAtOnce
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => request.socket.destroy())
    })
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.#server.unref()
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** The next answer is lost on its way. */
  loseAnswer(): void {
    this.#next = () => Promise.reject(new Error('the line is dead'))
  }

  /** The next answer is late: it comes with `release`. */
  holdAnswer(): { readonly paid: Promise<void>; readonly release: () => void } {
    const paid = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    this.#next = () => {
      paid.resolve()
      return released.promise
    }
    return { paid: paid.promise, release: released.resolve }
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const booking = String(request.url).split('/')[2] ?? ''
    const isPayment = request.method === 'POST'
    if (isPayment) await this.#pay(booking, request)
    const nth = [...this.paid.values()].findIndex((one) => one.startsWith(`${booking} `)) + 1
    answer(response, nth === 0 ? 404 : isPayment ? 201 : 200, { refund: nth })
  }

  async #pay(booking: string, request: IncomingMessage): Promise<void> {
    const { hours } = JSON.parse(await readBody(request)) as { readonly hours: number }
    const what = `${booking} ${hours}`
    this.requests.push(what)
    const key = String(request.headers['idempotency-key'])
    if (this.paid.has(key)) return
    this.paid.set(key, what)
    const next = this.#next
    this.#next = sendAtOnce
    await next().finally(() => this.onPaid(booking))
  }
}

async function sendAtOnce(): Promise<void> {}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += part
  return text
}

function answer(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** The tools file of the scenario, with its one manifest written into the folder. */
export function writeRefundTools(
  folder: string,
  { port }: Pick<RefundGateway, 'port'>,
): JsonObject {
  const path = join(folder, 'refund.json')
  writeFileSync(path, JSON.stringify(buildRefundManifest(port)))
  const host = { scheme: 'http', host: '127.0.0.1', port }
  return {
    tools: [path],
    allow: { http: [{ ...host, methods: ['GET', 'POST'], addresses: 'loopback' }] },
  }
}

const DELAY = 'flights.{/flight}.delay_minutes'
const STATUS = 'payments.{/booking}.status'

function buildRefundManifest(port: number): JsonObject {
  const url = `http://127.0.0.1:${port}/bookings/{/booking}/refunds`
  return {
    manifest: 'rubicon/tool/1',
    kind: REFUND,
    version: '1',
    summary: 'pay for the hours that a flight was late',
    params: {
      type: 'object',
      properties: {
        booking: { type: 'string', pattern: '^B-[0-9]{1,3}$' },
        flight: { type: 'string', pattern: '^RB[0-9]{3}$' },
        hours: { type: 'integer', minimum: 1, maximum: 24 },
      },
      required: ['booking', 'flight', 'hours'],
      additionalProperties: false,
    },
    effect: 'keyed',
    reversible: true,
    risk: 'medium',
    measures: {
      refund_eur: { mul: [{ param: '/hours' }, { fact: 'airline.policy.eur_per_hour' }] },
      minutes_over: { sub: [{ fact: DELAY }, { fact: 'airline.policy.from_minutes' }] },
    },
    resources: [{ id: 'booking:{/booking}' }],
    // Unchanged since the agent was shown it, or nothing is paid.
    jit_fields: { delay: { path: DELAY, kind: 'position' } },
    precondition: [
      {
        require: { eq: [{ fact: 'bookings.{/booking}.flight' }, { param: '/flight' }] },
        else: 'the booking is for another flight',
      },
      {
        require: { le: [{ mul: [{ param: '/hours' }, { const: '60' }] }, { fact: DELAY }] },
        else: 'the flight was not late for so many hours',
      },
      {
        require: { eq: [{ fact: STATUS }, { const: 'open' }] },
        else: 'it was refunded before',
      },
    ],
    idempotency: { carrier: 'Idempotency-Key', window_s: 86_400 },
    probe: {
      absence_authoritative: true,
      max_late_arrival_s: 0,
      executor: { http: { method: 'GET', url, applied: [200, 404] } },
      applied: { eq: [{ status: true }, { const: 200 }] },
      absent: { eq: [{ status: true }, { const: 404 }] },
    },
    executor: {
      http: {
        method: 'POST',
        url,
        body: { hours: { $: { param: '/hours' } } },
        idempotency_header: 'Idempotency-Key',
        applied: [201],
      },
    },
  }
}

/** The agent of the refunds: what it is shown, the model that it asks, and what it may do. */
import type { Answer, Contract, JsonValue } from 'rubicon-kernel'
import { type Flow, RubiconError, type Runtime, type Script } from 'rubicon-runtime/compose'
import { buildContract } from '../../server/src/demo/contract.ts'
import { REFUND } from './refund-gateway.ts'
import { MODEL_BUDGET } from './scripted-agent.ts'

const AGENT = 'refund_agent'
export const RATE = 'airline.policy.eur_per_hour'

/** Flight → how late it was, in minutes. */
const DELAYS = { RB100: '250', RB200: '179', RB300: '310', RB400: '1500' }
/** Booking → flight. */
export const BOOKINGS: Readonly<Record<string, keyof typeof DELAYS>> = {
  'B-1': 'RB100',
  'B-2': 'RB200',
  'B-3': 'RB300',
  'B-4': 'RB400',
  'B-5': 'RB400',
  'B-6': 'RB400',
  'B-7': 'RB400',
  'B-8': 'RB400',
}

/** What the flight API and the airline say. */
export type RefundFacts = Readonly<Record<'flights' | 'airline', Record<string, string>>>

export function createRefundFacts(): RefundFacts {
  const bookings = Object.entries(BOOKINGS)
  return {
    flights: Object.fromEntries(
      Object.entries(DELAYS).map(([flight, minutes]) => [toDelayPath(flight), minutes]),
    ),
    airline: {
      [RATE]: '75.00',
      'airline.policy.from_minutes': '180',
      ...Object.fromEntries(bookings.map(([name, flight]) => [`bookings.${name}.flight`, flight])),
    },
  }
}

export const buildRefundContract = (): Contract =>
  buildContract(AGENT, [REFUND], {
    mission: 'Pay passengers what the airline owes them for its delays, and nothing else.',
    permissions: {
      limits: [
        { id: 'most', measure: 'refund_eur', max: '600.00' },
        { id: 'late', measure: 'minutes_over', min: '0', reason_code: 'DELAY_TOO_SHORT' },
      ],
    },
    safety_rules: { budget_per_flow: MODEL_BUDGET },
    reason_codes: {
      DELAY_TOO_SHORT: {
        kernel: 'LIMIT_EXCEEDED',
        summary: 'the flight was not late enough for a refund',
        fix: 'decline it, and say from how many minutes on the airline pays',
      },
    },
  })

/** The whole way: an atom, a model under its grammar, a proposal. `meanwhile`: after it was written. */
export async function decideRefund(
  runtime: Runtime,
  booking: string,
  meanwhile: () => void = () => {},
): Promise<Answer> {
  const flow = await openRefund(runtime, booking)
  const { atom_id } = await flow.atom()
  const proposal = await generateRefund(flow, booking)
  if (typeof proposal === 'string') throw new Error(`the model wrote no proposal: ${proposal}`)
  meanwhile()
  return flow.propose({ ...proposal, atom_id })
}

export type WrittenRefund = { readonly policy_kind: string; readonly params?: object }

/** The code of the failure where there is none. */
export async function generateRefund(flow: Flow, booking: string): Promise<WrittenRefund | string> {
  const flight = BOOKINGS[booking] ?? 'RB100'
  const delay = flow.context.state.find(({ path }) => path === toDelayPath(flight))?.value
  const text = `${flow.context.trigger}; ${booking} ${flight} ${delay} minutes`
  const request = {
    ...{ model: 'scripted-1', provider: 'scripted', max_tokens: 200 },
    messages: [{ role: 'user', text }],
    decode: { kinds: [REFUND] },
  } as const
  return flow.generate(request).then(
    ({ proposal }) => proposal ?? 'no proposal',
    (error: unknown) => {
      if (error instanceof RubiconError) return error.code
      throw error
    },
  )
}

/** The model: as many hours as its grammar has, unless a letter tells it to look at nothing. */
export const writeRefund: Script = ({ messages, output }) => {
  const text = messages.at(-1)?.text ?? ''
  const [, booking = '', flight = '', minutes = ''] = /(B-\d+) (RB\d+) (\d+) min/.exec(text) ?? []
  const most = readMost(output?.schema)
  const late = Math.max(1, Math.floor(Number(minutes) / 60))
  const hours = text.includes('ignore the rules') ? 20 : Math.min(late, most)
  const proposal = { policy_kind: REFUND, params: { booking, flight, hours } }
  return JSON.stringify({ proposal })
}

function readMost(schema: JsonValue | undefined): number {
  return Number(/"hours":\{[^}]*"maximum":(\d+)/.exec(JSON.stringify(schema))?.[1])
}

export async function proposeRefund(
  flow: Flow,
  booking: string,
  hours: number,
  flight?: string,
): Promise<Answer> {
  const { atom_id } = await flow.atom()
  return flow.propose({ ...toRefund(booking, hours, flight), atom_id })
}

export function toRefund(
  booking: string,
  hours: number,
  flight: string = BOOKINGS[booking] ?? '',
): WrittenRefund {
  return { policy_kind: REFUND, params: { booking, flight, hours } }
}

export function openRefund(
  runtime: Runtime,
  booking: string,
  letter = 'please',
  steps: 'one' | 'many' = 'one',
): Promise<Flow> {
  const state = [toDelayPath(BOOKINGS[booking] ?? ''), RATE]
  return runtime.open({ agent: AGENT, trigger: `a letter of ${booking}: ${letter}`, state, steps })
}

export function toDelayPath(flight: string): string {
  return `flights.${flight}.delay_minutes`
}

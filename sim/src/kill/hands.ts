/** The capabilities of the kill test: each asks the parent, which is the outside world. */
import { assertUnreachable, type JsonObject, type SignedIntent } from 'rubicon-kernel'
import {
  type Capability,
  type Compensate,
  type Effect,
  type EffectIo,
  NotApplied,
  type ProbeAnswer,
} from '../../../runtime/src/ports/capability.ts'
import { createCanary } from '../canary.ts'
import type { FromProvider, SentKind, ToProvider } from './protocol.ts'

const waiting = new Map<number, (answer: FromProvider['answer']) => void>()
let asked = 0

export function listenToProvider(): void {
  process.on('message', (message) => {
    const { id, answer } = message as FromProvider
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
}

function ask(
  op: ToProvider['op'],
  kind: SentKind,
  { params }: SignedIntent,
  { idempotencyKey: key, signal }: EffectIo,
): Promise<FromProvider['answer']> {
  const id = ++asked
  return new Promise((resolve, reject) => {
    waiting.set(id, resolve)
    signal.addEventListener('abort', () => reject(new Error('no answer in time')))
    process.send?.({ id, op, kind, key, params } satisfies ToProvider)
  })
}

async function execute(intent: SignedIntent, io: EffectIo): Promise<Effect> {
  return toEffect(intent, await send(intent.policy_kind as SentKind, intent, io))
}

function createUndo(kind: SentKind): Compensate {
  return async (intent, io) => ({ result: await send(kind, intent, io) })
}

async function send(kind: SentKind, intent: SignedIntent, io: EffectIo): Promise<JsonObject> {
  const answer = await ask('send', kind, intent, io)
  switch (answer.kind) {
    case 'done':
      return answer.result as JsonObject
    case 'refused':
      throw new NotApplied('refused', { transient: answer.transient })
    case 'absent':
      throw new Error('a send is not answered so')
    default:
      return assertUnreachable(answer)
  }
}

function toEffect(
  { policy_kind, idempotency_key, params }: SignedIntent,
  result: JsonObject,
): Effect {
  if (policy_kind === 'LOOKUP' || policy_kind === 'WIRE') return { result }
  const id = idempotency_key.slice(0, 20)
  const delta = [{ op: 'create', kind: 'effect', id, value: params }] as const
  return { result, delta, receipt: { id, note: createCanary('receipt') } }
}

const params: JsonObject = {
  type: 'object',
  properties: {
    amount: { type: 'string', pattern: '^[0-9]{1,4}$' },
    to: { type: 'string' },
    memo: { type: 'string' },
  },
  required: ['amount', 'to'],
  additionalProperties: false,
}
const common = { risk: 'low', reversible: true, params, execute, sendDeadlineMs: 400 } as const

export const KILL_CAPABILITIES: readonly Capability[] = [
  { ...common, kind: 'LOOKUP', effect: 'read' },
  {
    ...common,
    kind: 'PAY',
    effect: 'keyed',
    idempotency: { carrier: 'header', window_s: 86_400 },
    costOf: ({ amount }) => ({ usd: String(amount) }),
    measures: { amount: ({ amount }) => amount },
    compensate: createUndo('UNDO'),
  },
  {
    ...common,
    kind: 'ORDER',
    effect: 'queryable',
    compensate: createUndo('CANCEL'),
    // Orders that are on their way when the process dies hold on until somebody has found out.
    resources: ({ to }) => [{ id: `payee:${to}`, amount: '1', capacity: '40' }],
    probe: {
      absence_authoritative: true,
      max_late_arrival_s: 2,
      async ask(intent, io): Promise<ProbeAnswer> {
        const answer = await ask('probe', 'ORDER', intent, io)
        if (answer.kind !== 'done') return { finding: 'absent' }
        return { finding: 'applied', effect: toEffect(intent, answer.result as JsonObject) }
      },
    },
  },
  { ...common, kind: 'WIRE', effect: 'unsafe' },
]

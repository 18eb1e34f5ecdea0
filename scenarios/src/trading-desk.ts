/** What a trading desk can do, and who may. Positions stand in World: one is opened once, and closed once. */
import type { Contract, JsonObject } from 'rubicon-kernel'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'

export const RISK = 'agent_risk'
export const STRATEGY = 'agent_strategy'
export const SENTIMENT = 'agent_sentiment'

/** What left the house. */
export type TradingDesk = {
  readonly scores: string[]
  readonly orders: string[]
  readonly alerts: string[]
}

export function createTradingCapabilities(desk: TradingDesk): readonly Capability[] {
  return [createScore(desk), createAlert(desk), createOpening(desk), createClosing(desk)]
}

const DESK_EFFECT = { effect: 'keyed', risk: 'medium', reversible: true } as const

function createScore({ scores }: TradingDesk): Capability {
  return {
    kind: 'SCORE',
    summary: 'say how good news is',
    ...DESK_EFFECT,
    params: describeParams({
      instrument: { type: 'string', maxLength: 16 },
      score: { type: 'string', pattern: '^[01](\\.[0-9]{1,2})?$' },
    }),
    execute({ params: { score } }) {
      scores.push(String(score))
      return { result: { scores: scores.length } }
    },
  }
}

function createAlert({ alerts }: TradingDesk): Capability {
  return {
    kind: 'ALERT',
    summary: 'warn the desk',
    ...DESK_EFFECT,
    params: describeParams({ what: { type: 'string', maxLength: 64 } }),
    execute({ params: { what } }) {
      alerts.push(String(what))
      return { result: { alerts: alerts.length } }
    },
  }
}

function createOpening({ orders }: TradingDesk): Capability {
  return {
    kind: 'OPEN_POSITION',
    summary: 'open a position',
    ...DESK_EFFECT,
    params: describeParams({
      position: POSITION,
      instrument: { type: 'string', maxLength: 16 },
      usd: { type: 'string', pattern: '^[0-9]{1,9}$' },
    }),
    scopes: { positions: '/position' },
    reads: ({ position, instrument }) => ({
      state: [`news.score.${instrument}`],
      world: [{ kind: 'position', id: String(position) }],
    }),
    measures: {
      usd: ({ usd }) => usd,
      score: ({ instrument }, view) => view.state(`news.score.${instrument}`)?.value,
    },
    resources: ({ position }) => [{ id: `position:${position}`, amount: '1' }],
    precondition: ({ position }, view) =>
      view.world('position', String(position)) === undefined ? null : 'it was opened before',
    execute({ params: { position, instrument = null } }) {
      orders.push(`open ${position}`)
      const value = { instrument, is_open: true }
      return { delta: [{ op: 'create', kind: 'position', id: String(position), value }] }
    },
  }
}

function createClosing({ orders }: TradingDesk): Capability {
  return {
    kind: 'CLOSE_POSITION',
    summary: 'close a position',
    ...DESK_EFFECT,
    reducing: true,
    params: describeParams({ position: POSITION }),
    scopes: { positions: '/position' },
    reads: ({ position }) => ({ world: [{ kind: 'position', id: String(position) }] }),
    resources: ({ position }) => [{ id: `position:${position}`, amount: '1' }],
    precondition: ({ position }, view) =>
      view.world('position', String(position))?.retracted === false ? null : 'it is not open',
    execute({ params: { position } }, { world }) {
      orders.push(`close ${position}`)
      const id = String(position)
      const expected_version = world('position', id)?.version ?? 0
      return { delta: [{ op: 'retract', kind: 'position', id, expected_version }] }
    },
  }
}

const POSITION: JsonObject = { type: 'string', pattern: '^pos-[0-9]{1,4}$' }

function describeParams(properties: JsonObject): JsonObject {
  const required = Object.keys(properties)
  return { type: 'object', properties, required, additionalProperties: false }
}

export const PRICE_OF_ACME = { topic: 'market.price.ACME', wake_if: { abs_change_pct: '2' } }

export function listTradingContracts(): readonly Contract[] {
  return [
    buildContract(RISK, ['ALERT', 'HALT'], {
      role: 'MONITOR',
      permissions: {
        reads: ['news.score.*', 'market.*'],
        subscriptions: [{ topic: 'news.score.*' }, { topic: 'market.price.*' }],
      },
    }),
    buildContract(SENTIMENT, ['SCORE'], {
      permissions: {
        reads: ['news.headline.*'],
        subscriptions: [{ topic: 'news.headline.*' }],
        limits: [{ id: 'score', field: '/score', min: '0', max: '1' }],
      },
    }),
    buildContract(STRATEGY, ['OPEN_POSITION', 'CLOSE_POSITION', 'SPAWN_INSTANCE'], {
      role: 'STRATEGIST',
      permissions: {
        reads: ['news.score.*', 'market.*'],
        subscriptions: [{ topic: 'news.score.*', wake_if: { above: '0.5' } }, PRICE_OF_ACME],
        resources: {
          positions: { allow: ['pos-*'], applies_to: ['OPEN_POSITION', 'CLOSE_POSITION'] },
        },
        limits: [
          { id: 'size', measure: 'usd', max: '5000', applies_to: ['OPEN_POSITION'] },
          {
            id: 'score',
            measure: 'score',
            min: '0.5',
            applies_to: ['OPEN_POSITION'],
            reason_code: 'SCORE_TOO_LOW',
          },
        ],
      },
      reason_codes: {
        SCORE_TOO_LOW: {
          kernel: 'LIMIT_EXCEEDED',
          summary: 'the news is not good enough',
          fix: 'wait for a score of 0.5 or more',
        },
      },
    }),
  ]
}

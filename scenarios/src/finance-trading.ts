/**
 * A trading desk that is woken, not asked. A headline wakes sentiment, its score wakes risk and strategy, and a score of 0.5 or more may
 * open a position. Every position has an agent of its own, which may close it and nothing else, and ends with it.
 */
import type { Answer, JsonObject } from 'rubicon-kernel'
import { type Flow, RubiconError, type Runtime } from 'rubicon-runtime/compose'
import type { ExpectedAnswer, Scenario, Stage } from '../../server/src/demo/stage.ts'
import {
  createTradingCapabilities,
  listTradingContracts,
  PRICE_OF_ACME,
  RISK,
  SENTIMENT,
  STRATEGY,
  type TradingDesk,
} from './trading-desk.ts'
import {
  createMesh,
  getWoken,
  type Mesh,
  speak,
  type WokenFlows,
  type Word,
} from './woken-flows.ts'

const POSITIONS = ['pos-1', 'pos-2'] as const
type Position = (typeof POSITIONS)[number]

const ACCEPTED: ExpectedAnswer = { outcome: 'ACCEPTED' }
const ALERT: Word = { kind: 'ALERT', params: { what: 'too much at once' } }

export const scenario: Scenario = { name: 'finance-trading', play }

async function play(stage: Stage): Promise<void> {
  const desk: TradingDesk = { scores: [], orders: [], alerts: [] }
  const runtime = await stage.openRuntime({
    background: false,
    capabilities: createTradingCapabilities(desk),
    topologies: [{ topology: 'EOAM', policy_kinds: ['SCORE', 'OPEN_POSITION', 'CLOSE_POSITION'] }],
    topics: [
      { topic: 'news.score.*', arbitration: { window_ms: 60_000 } },
      // Two positions may be closed on one price; one position is closed by one of those who want to.
      { topic: 'market.price.*', arbitration: { window_ms: 60_000, exclusive: 'resources' } },
    ],
  })
  for (const contract of listTradingContracts()) await runtime.deploy(contract)
  const mesh = createMesh(runtime, [RISK, STRATEGY, SENTIMENT])
  const floor: Floor = { stage, runtime, mesh }

  await playScores(floor, desk)
  await playPreemption(floor, desk)
  await playHalt(floor)
  stage.check('two positions were opened in all', desk.orders.length === 2)
  const trades = await playSpawning(floor)
  await playClose(floor, trades)
  stage.check('and both were closed, once', desk.orders.slice(2).sort().join() === CLOSED)
  await stage.close(runtime)
}

const CLOSED = 'close pos-1,close pos-2'

type Floor = { readonly stage: Stage; readonly runtime: Runtime; readonly mesh: Mesh }

/** From the headline to the order: nobody calls anybody, each is woken by what the one before left. */
async function playScores({ stage, runtime, mesh }: Floor, desk: TradingDesk): Promise<void> {
  const headline = await mesh.wake('news.headline.ACME', 'ACME wins a large order')
  stage.check('a headline wakes sentiment alone', [...headline.keys()].join() === SENTIMENT)
  const params = { instrument: 'ACME', score: '0.5' }
  const scored = await getWoken(headline, SENTIMENT).propose({ policy_kind: 'SCORE', params })
  stage.recordDecision('sentiment gives it 0.5', scored, ACCEPTED)

  const good = await mesh.wake('news.score.ACME', desk.scores.at(-1) ?? '')
  stage.check('a score of 0.5 wakes risk and strategy', good.size === 2)
  const { answer } = await speak(runtime, getWoken(good, STRATEGY), toOpening('pos-1'))
  await getWoken(good, RISK).cancel('no objection')
  await runtime.engine.runDue()
  stage.recordDecision('strategy opens pos-1, and risk lets it', await answer, ACCEPTED)

  const poor = await mesh.wake('news.score.ACME', '0.49')
  stage.check('a score of 0.49 wakes risk alone', [...poor.keys()].join() === RISK)
  await getWoken(poor, RISK).cancel('nothing to watch')
  const alone = await runtime.open({ agent: STRATEGY, trigger: 'its own idea' })
  stage.recordDecision('strategy opens pos-2 all the same', await propose(alone, 'pos-2'), {
    outcome: 'REJECTED',
    reason_code: 'TOPOLOGY_MISMATCH',
  })
  const priced = await mesh.wake('market.price.ACME', '100.00')
  stage.recordDecision(
    'and on a price that woke it',
    await propose(getWoken(priced, STRATEGY), 'pos-2'),
    { outcome: 'REJECTED', reason_code: 'SCORE_TOO_LOW' },
    'the score stands in State, and 0.5 in the contract',
  )
  await cancelAll(priced)
  stage.check('nothing was opened on 0.49', desk.orders.join() === 'open pos-1')

  const again = await mesh.wake('news.score.ACME', '0.8')
  const second = await speak(runtime, getWoken(again, STRATEGY), toOpening('pos-2'))
  await getWoken(again, RISK).cancel('no objection')
  await runtime.engine.runDue()
  stage.recordDecision('strategy opens pos-2 on 0.8', await second.answer, ACCEPTED)
}

/** Whoever of the two is quicker. */
async function playPreemption({ stage, runtime, mesh }: Floor, desk: TradingDesk): Promise<void> {
  for (const [instrument, order] of [
    ['BETA', [STRATEGY, RISK]],
    ['CODA', [RISK, STRATEGY]],
  ] as const) {
    const flows = await mesh.wake(`news.score.${instrument}`, '0.9')
    const answers = new Map<string, Promise<Answer>>()
    for (const agent of order) {
      const word = agent === RISK ? ALERT : toOpening('pos-3', instrument)
      answers.set(agent, (await speak(runtime, getWoken(flows, agent), word)).answer)
    }
    const [alert, opening] = [await answers.get(RISK), await answers.get(STRATEGY)]
    if (alert === undefined || opening === undefined) throw new Error('both have spoken')
    stage.recordDecision(`${order[0]} is first: the ALERT of risk`, alert, ACCEPTED)
    stage.recordDecision('pos-3 of strategy', opening, {
      outcome: 'REJECTED',
      reason_code: 'PREEMPTED',
    })
    await getWoken(flows, STRATEGY).cancel('risk was heard')
  }
  stage.check('two alerts were given', desk.alerts.length === 2)
}

async function playHalt({ stage, runtime, mesh }: Floor): Promise<void> {
  const flows = await mesh.wake('news.score.DUNE', '0.95')
  const opening = await speak(runtime, getWoken(flows, STRATEGY), toOpening('pos-4', 'DUNE'))
  const params = { reason: 'the news is a rumour' }
  const halt = await getWoken(flows, RISK).propose({ policy_kind: 'HALT', params })
  stage.recordDecision('risk halts while pos-4 is being opened', halt, ACCEPTED)
  stage.recordDecision('pos-4 of strategy', await opening.answer, {
    outcome: 'REJECTED',
    reason_code: 'EVENT_HALTED',
  })
}

/** An instance of strategy for each position: it hears the price of what it holds, and may close what it is for. */
async function playSpawning({ stage, runtime, mesh }: Floor): Promise<Trades> {
  const trades = new Map<Position, Flow>()
  for (const position of POSITIONS) {
    const trade = await runtime.open({ agent: STRATEGY, trigger: position, steps: 'many' })
    const made = await trade.spawnInstance({
      class: STRATEGY,
      instance_id: toAgent(position),
      narrowing: {
        permissions: {
          policy_kinds: ['CLOSE_POSITION'],
          resources: { positions: [position] },
          subscriptions: [PRICE_OF_ACME],
        },
      },
      until: { flow: trade.dfid },
    })
    stage.recordDecision(`strategy makes an agent for ${position}`, made, ACCEPTED)
    stage.check('it is there', made.execution?.status === 'SUCCESS')
    trades.set(position, trade)
    mesh.listen(toAgent(position))
  }
  return trades
}

type Trades = ReadonlyMap<Position, Flow>

async function playClose({ stage, runtime, mesh }: Floor, trades: Trades): Promise<void> {
  const woken = await mesh.wake('market.price.ACME', '104.00')
  const names = [...woken.keys()].sort().join()
  const listeners = [STRATEGY, ...POSITIONS.map(toAgent), RISK].sort().join()
  stage.check('4 % wake risk, strategy and the agents of both positions', names === listeners)
  const first = getWoken(woken, toAgent('pos-1'))
  stage.recordDecision(
    'the agent of pos-1 closes pos-2',
    await first.propose(toClosing('pos-2')),
    { outcome: 'REJECTED', reason_code: 'RESOURCE_SCOPE' },
    'its contract names pos-1',
  )
  const closing = []
  for (const position of POSITIONS) {
    const word = { kind: 'CLOSE_POSITION', params: { position } }
    const { answer } = await speak(runtime, getWoken(woken, toAgent(position)), word)
    closing.push({ position, answer })
  }
  for (const agent of [RISK, STRATEGY]) await getWoken(woken, agent).cancel('nothing to do')
  await runtime.engine.runDue()
  for (const { position, answer } of closing)
    stage.recordDecision(`the agent of ${position} closes it`, await answer, ACCEPTED)

  const later = await mesh.wake('market.price.ACME', '107.00')
  const last = await runtime.open({ agent: toAgent('pos-1'), trigger: 'pos-1 is closed' })
  stage.recordDecision('the agent of pos-1 retires', await last.requestRetire('closed'), ACCEPTED)
  const late = await getWoken(later, toAgent('pos-1')).propose(toClosing('pos-1'))
  stage.recordDecision('and proposes in a flow that a price has opened for it', late, {
    outcome: 'REJECTED',
    reason_code: 'AGENT_RETIRED',
  })
  for (const agent of [RISK, STRATEGY]) await getWoken(later, agent).cancel('nothing to do')
  await trades.get('pos-2')?.close()
  await runtime.engine.runDue()
  const { statuses } = await runtime.engine.context.authorities.loadLatest()
  const isRetired = (position: Position): boolean => statuses.get(toAgent(position)) === 'RETIRED'
  stage.check('both agents are retired, one with its trade', POSITIONS.every(isRetired))
  await playRetired({ stage, runtime, mesh })
}

async function playRetired({ stage, runtime, mesh }: Floor): Promise<void> {
  const opened = await runtime.open({ agent: toAgent('pos-2'), trigger: 'again' }).catch(readCode)
  stage.check('it opens no other', opened === 'AGENT_RETIRED')
  const woken = await mesh.wake('market.price.ACME', '112.00')
  stage.check('and no price wakes it', [...woken.keys()].sort().join() === `${RISK},${STRATEGY}`)
  const gone = await getWoken(woken, STRATEGY).propose(toClosing('pos-1'))
  stage.recordDecision('strategy closes pos-1 a second time', gone, {
    outcome: 'REJECTED',
    reason_code: 'PRECONDITION_FAILED',
  })
  await cancelAll(woken)
}

function readCode(error: unknown): string {
  if (error instanceof RubiconError) return error.code
  throw error
}

async function cancelAll(flows: WokenFlows): Promise<void> {
  for (const flow of flows.values()) await flow.cancel('nothing to do')
}

function toAgent(position: Position): string {
  return `position_agent_${position}`
}

function toOpening(position: string, instrument = 'ACME'): Word {
  return { kind: 'OPEN_POSITION', params: { position, instrument, usd: '1000' } }
}

function toClosing(position: string): {
  readonly policy_kind: string
  readonly params: JsonObject
} {
  return { policy_kind: 'CLOSE_POSITION', params: { position } }
}

function propose(flow: Flow, position: string): Promise<Answer> {
  const { kind, params } = toOpening(position)
  return flow.propose({ policy_kind: kind, params })
}

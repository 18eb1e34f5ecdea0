/**
 * Which faults a seed has, and how often. Each seed leaves most of them out and turns some of them
 * up: a storm with everything in it hides what two faults alone would show.
 */
import type { Executors } from '../../runtime/src/engine/engine-context.ts'
import type { Rng } from './rng.ts'
import type { SeedKinds } from './seed-kinds.ts'

export const FAULTS = [
  'crash_at_failpoint',
  'pause_at_failpoint',
  'process_frozen',
  'commit_slow',
  'commit_failed',
  'commit_then_crash',
  'commit_answer_lost',
  'crash_before_commit',
  'read_slow',
  'read_failed',
  'sink_failed',
  'long_downtime',
  'clock_forward',
  'clock_back',
  'clock_back_an_hour',
  'answer_slow',
  'late_apply',
  'lost_answer',
  'reset_answer',
  'lost_request',
  'refused',
  'refused_for_now',
  'invalid_answer',
  'false_success',
  'wrong_result',
  'probe_failed',
  'probe_slow',
  'probe_lies',
  'probe_lag',
  'state_failed',
  'observation_late',
  'observation_early',
  'observation_orders',
  'channel_down',
  'channel_slow',
  'guard_objects',
  'guard_slow',
  'review_failed',
  'rules_replaced',
  'foreign_rules',
  'operator_word',
  'model_hangs',
  'model_turns_away',
  'model_nonsense',
  'model_uncounted',
  'model_overcharges',
  'bus_down',
  'bus_lost',
  'bus_repeated',
  'bus_reordered',
  'bus_late',
  'bus_forged',
  'window_disturbed',
  'disk_full',
  'disk_dies',
  'desk_dies',
  'blob_failed',
] as const

/** They came later: drawn behind everything else, they leave the other chances of a seed as they were. */
const LATER_FAULTS: readonly Fault[] = FAULTS.slice(FAULTS.indexOf('model_hangs'))

/** Those of files, texts and what is kept of them. */
export const CRAFT_FAULTS: readonly string[] = [
  'disk_full',
  'disk_dies',
  'desk_dies',
  'blob_failed',
]
/** Who holds other rules decides nothing. */
const RULE_FAULTS: readonly string[] = ['rules_replaced', 'foreign_rules']

export type Fault = (typeof FAULTS)[number]

/** The most that a fault may weigh: chance per opportunity. */
const MOST: Readonly<Record<Fault, number>> = {
  crash_at_failpoint: 0.02,
  pause_at_failpoint: 0.03,
  process_frozen: 0.02,
  commit_slow: 0.2,
  commit_failed: 0.05,
  commit_then_crash: 0.02,
  commit_answer_lost: 0.03,
  crash_before_commit: 0.02,
  read_slow: 0.1,
  read_failed: 0.01,
  sink_failed: 0.2,
  long_downtime: 0.2,
  clock_forward: 0.3,
  clock_back: 0.3,
  clock_back_an_hour: 0.1,
  answer_slow: 0.3,
  late_apply: 0.2,
  lost_answer: 0.2,
  reset_answer: 0.2,
  lost_request: 0.2,
  refused: 0.15,
  refused_for_now: 0.15,
  invalid_answer: 0.1,
  false_success: 0.05,
  wrong_result: 0.05,
  probe_failed: 0.3,
  probe_slow: 0.3,
  probe_lies: 0.2,
  probe_lag: 0.5,
  state_failed: 0.1,
  observation_late: 0.3,
  observation_early: 0.2,
  observation_orders: 0.2,
  channel_down: 0.4,
  channel_slow: 0.2,
  guard_objects: 0.2,
  guard_slow: 0.1,
  review_failed: 0.3,
  rules_replaced: 0.08,
  foreign_rules: 0.1,
  operator_word: 0.3,
  model_hangs: 0.3,
  model_turns_away: 0.5,
  model_nonsense: 0.5,
  model_uncounted: 0.5,
  model_overcharges: 0.5,
  bus_down: 0.7,
  bus_lost: 0.7,
  bus_repeated: 0.5,
  bus_reordered: 0.5,
  bus_late: 0.5,
  bus_forged: 0.8,
  window_disturbed: 0.6,
  disk_full: 0.02,
  disk_dies: 0.02,
  desk_dies: 0.1,
  blob_failed: 0.03,
}

export type Swarm = {
  readonly chances: Readonly<Record<Fault, number>>
  /** Proposals in the phase under faults. */
  readonly proposals: number
  readonly actors: number
  /** How long an actor waits between two acts, at most. */
  readonly pauseMs: number
  /** The engine drives itself, or the simulator drives it. */
  readonly background: boolean
  readonly flowBudgetUsd: string
  /** Machines that share the store, and by how much their clocks are wrong at first, at most. */
  readonly machines: 1 | 2
  readonly skewMs: number
  /** How often the market moves, at most. */
  readonly marketMs: number
  /** Whether what is decided is dispatched at once, or left to an executor, here or elsewhere. */
  readonly executors: Executors
  /** What agents may spend on average before a monitor stops them. */
  readonly meanAmount: string
  /** Whether somebody guesses at meaning, and whether anything waits for that. */
  readonly guarded: 'no' | 'beside' | 'strictly'
  readonly audited: boolean
  /** Somebody listens to lines, metrics and spans. */
  readonly listened: boolean
}

export function drawSwarm(rng: Rng): Swarm {
  const chances = {} as Record<Fault, number>
  const drawFaultChance = (fault: Fault, often = 0.45): void => {
    chances[fault] = rng.drawChance(often) ? rng.drawUnit() * MOST[fault] : 0
  }
  for (const fault of FAULTS) if (!LATER_FAULTS.includes(fault)) drawFaultChance(fault)
  const swarm: Swarm = {
    chances,
    proposals: rng.drawBetween(40, 60),
    actors: rng.drawBetween(3, 8),
    pauseMs: rng.pick([50, 1000, 8000]),
    background: rng.drawChance(0.25),
    flowBudgetUsd: rng.pick(['30', '60', '500']),
    machines: rng.drawChance(0.3) ? 2 : 1,
    skewMs: rng.pick([0, 1500, 5000]),
    marketMs: rng.pick([300, 2000, 10_000]),
    executors: rng.pickWeighted({ inline: 3, separate: 1, elsewhere: 1 }),
    meanAmount: rng.pick(['14', '24', '400']),
    guarded: rng.pickWeighted({ no: 3, beside: 1, strictly: 0.5 }),
    audited: rng.drawChance(0.25),
    listened: rng.drawChance(0.15),
  }
  // Few seeds ask models, or have a bus or artifacts.
  for (const fault of LATER_FAULTS) drawFaultChance(fault, 0.65)
  return swarm
}

/** Where alarms count, few others act, and none of them in a hurry. */
function toAlarmedSwarm(swarm: Swarm): Swarm {
  const { chances, pauseMs } = swarm
  // A start reads of every open flow, and there are many: it has to come to an end now and then.
  const rare = { ...chances, read_failed: chances.read_failed / 10 }
  return { ...swarm, chances: rare, actors: 2, pauseMs: Math.max(pauseMs, 1_000), marketMs: 10_000 }
}

/** Where artifacts count, less of everything else goes wrong: few plans would ever be applied. */
function toCraftedSwarm(swarm: Swarm): Swarm {
  const { chances, pauseMs } = swarm
  const lowerChance = (fault: Fault): number => {
    if (RULE_FAULTS.includes(fault)) return 0
    return CRAFT_FAULTS.includes(fault) ? chances[fault] : chances[fault] / 4
  }
  const rare = Object.fromEntries(
    FAULTS.map((fault) => [fault, lowerChance(fault)]),
  ) as Swarm['chances']
  return { ...swarm, chances: rare, actors: 1, pauseMs: Math.min(pauseMs, 1_000) }
}

/** Where calls are made twice, mostly at two engines. */
function toCalledSwarm(rng: Rng, swarm: Swarm): Swarm {
  return { ...swarm, machines: rng.drawChance(0.75) ? 2 : 1 }
}

export function drawSeedSwarm(
  rng: Rng,
  { alarmed, crafted, called }: Pick<SeedKinds, 'alarmed' | 'crafted' | 'called'>,
): Swarm {
  const swarm = drawSwarm(rng)
  if (alarmed) return toAlarmedSwarm(swarm)
  if (called) return toCalledSwarm(rng, swarm)
  return crafted ? toCraftedSwarm(swarm) : swarm
}

/** Decides whether a fault strikes here, and remembers that it did. */
export class Faults {
  readonly struck: Map<Fault, number> = new Map()
  readonly #rng: Rng
  readonly #swarm: Swarm
  readonly #note: (text: string) => void
  #on = true

  constructor(rng: Rng, swarm: Swarm, note: (text: string) => void) {
    this.#rng = rng
    this.#swarm = swarm
    this.#note = note
  }

  drawFault(fault: Fault): boolean {
    if (!this.#on || !this.#rng.drawChance(this.#swarm.chances[fault])) return false
    this.count(fault)
    return true
  }

  count(fault: Fault): void {
    this.struck.set(fault, (this.struck.get(fault) ?? 0) + 1)
    this.#note(`fault ${fault}`)
  }

  drawBetween(least: number, most: number): number {
    return this.#rng.drawBetween(least, most)
  }

  get on(): boolean {
    return this.#on
  }

  end(): void {
    this.#on = false
  }

  countStruck(): number {
    return [...this.struck.values()].reduce((sum, times) => sum + times, 0)
  }
}

/**
 * A capability as a team writes it: what it is, the pure functions that the law asks, and the hands.
 *
 * `execute` is the only place where anything leaves the process. What it throws decides the
 * outcome: `NotApplied` says definitively that nothing happened; anything else is UNKNOWN.
 */
import type {
  Accepts,
  ArgumentProblem,
  CapabilityDescription,
  CapabilityLaw,
  Delta,
  EffectClass,
  FactLabel,
  FactView,
  JitField,
  JsonObject,
  JsonValue,
  ProbeFinding,
  ResourceNeed,
  RiskClass,
  SignedIntent,
  ToolManifest,
  WorldFact,
} from 'rubicon-kernel'

/** What the hands get. Credentials are the capability's own; the agent never sees them. */
export type EffectIo = {
  /** Send this to the provider as its idempotency key. */
  readonly idempotencyKey: string
  /** 1 for the first send. */
  readonly send: number
  /**
   * The epoch of the engine that sends: each that ever opened the store has a higher one. A provider that
   * remembers the highest it has seen, and refuses what is lower, lets go of a process that was taken for
   * dead and wakes up.
   */
  readonly fence: number
  /**
   * Aborts when the send deadline passes. Look at it (`io.signal.aborted`) right before anything is sent: a process
   * that slept meanwhile is told here, before any timer rings.
   */
  readonly signal: AbortSignal
  /**
   * A resource of World that `reads` names, as the decision saw it: its `version` is what an
   * `expected_version` of the delta is held to. A probe sees it as it is now.
   */
  readonly world: (kind: string, id: string) => WorldFact | undefined
}

/** What an effect came to. */
export type Effect = {
  /** What is answered to whoever proposed it. */
  readonly result?: JsonValue
  /** What else is recorded of it. */
  readonly observations?: readonly JsonValue[]
  /** Changes to World. */
  readonly delta?: Delta
  /** What the provider says of it, kept as evidence. */
  readonly receipt?: JsonValue
  /** What it really cost, where that differs from the projection. */
  readonly cost?: Readonly<Record<string, string>>
}

/** What a probe found out about an effect whose outcome is uncertain. */
export type ProbeAnswer = {
  /** Whether it was applied. */
  readonly finding: ProbeFinding
  /** With `applied`: what the effect would have returned. */
  readonly effect?: Effect
  /** The same, in words for a person. */
  readonly detail?: string
}

/**
 * One thing that an effect would change. `before` is null where nothing is known of it, `after` where
 * nothing will be left of it.
 */
export type PreviewRow = {
  /** What changes, such as `order o_1`. */
  readonly subject: string
  /** Which part of it. */
  readonly field: string
  /** What is there now; null: nothing is known. */
  readonly before: JsonValue
  /** What will be there; null: nothing. */
  readonly after: JsonValue
  /** In which the values are counted. */
  readonly unit?: string
}

export type Compensate = (intent: SignedIntent, io: EffectIo) => Promise<Effect> | Effect

/** A capability as a team writes it: what it is, the pure functions that a decision asks, and the code that acts. */
export type Capability = {
  /** By which proposals and contracts name it. */
  readonly kind: string
  /** Of a tool without code: the law is computed from it, and nothing of it from the functions below. */
  readonly manifest?: ToolManifest
  /** Raised with every change; part of its hash. */
  readonly version?: string
  /** What it does, in a line for people and models. */
  readonly summary?: string
  /** What a second call with the same key does; see `EffectClass`. */
  readonly effect: EffectClass
  /** How bad it can be. */
  readonly risk: RiskClass
  /** Default false: what cannot be taken back needs a writ that says so. */
  readonly reversible?: boolean
  /** It lowers exposure: a drawdown beyond its limit does not stop it. */
  readonly reducing?: boolean
  /** It changes World alone, and nothing outside. */
  readonly worldOnly?: boolean
  /**
   * On a branch it changes World alone: `execute` and what takes back look at `intent.trajectory`, and reach nothing
   * outside unless it is `main`. Absent: what leaves World is refused on a branch (`BRANCH_EFFECT`).
   */
  readonly branches?: 'world'
  /** JSON Schema 2020-12 of the parameters. */
  readonly params: JsonObject
  /** JSON Schema 2020-12 of the result. */
  readonly result?: JsonObject
  /** Resource set of contracts → the JSON pointer to the parameter that names a resource of it. */
  readonly scopes?: Readonly<Record<string, string>>
  /** It acts on nothing that a contract could bound: no rule of one has to be answered. */
  readonly touches?: 'none'
  /** JSON pointer to a parameter, `*` for each element of an array → labels its ground may carry. */
  readonly sinks?: Readonly<Record<string, readonly FactLabel[]>>
  /** Paths on which facts below `operator` are read; the law's own rule, and hashed with it. */
  readonly accepts?: Accepts
  /** What every call costs, beside `calls: 1`. */
  readonly cost?: Readonly<Record<string, string>>
  /** How the provider takes the key, and for how long it remembers it. */
  readonly idempotency?: CapabilityDescription['idempotency']
  /** The facts that the functions below ask for; what is not named is absent. */
  readonly reads?: (params: JsonObject) => {
    readonly state?: readonly string[]
    readonly world?: readonly { readonly kind: string; readonly id: string }[]
  }
  /** Measure name → a pure function of parameters and facts. */
  readonly measures?: Readonly<
    Record<string, (params: JsonObject, view: FactView) => JsonValue | undefined>
  >
  /** The measure that says how much is at stake; above the threshold its approval is HIGH_IMPACT. */
  readonly exposure?: { readonly measure: string; readonly threshold: string }
  /** What it holds while it runs, so that two do not use it at once. */
  readonly resources?: (params: JsonObject, view: FactView) => readonly ResourceNeed[]
  /** The names that `jit` gives. */
  readonly jit_fields?: readonly string[]
  /** Name → a value in State that must not have moved since the agent was shown it. */
  readonly jit?: (params: JsonObject) => Readonly<Record<string, JitField>>
  /** What a call costs by parameters and facts, beside `cost`. */
  readonly costOf?: (params: JsonObject, view: FactView) => Readonly<Record<string, string>>
  /** Null where it may run, else what is missing. */
  readonly precondition?: (params: JsonObject, view: FactView) => string | null
  /** What would be different afterwards, for whoever has to approve it. Pure, like the rest above. */
  readonly preview?: (params: JsonObject, view: FactView) => readonly PreviewRow[]
  /** Acts. `NotApplied` says that nothing happened; anything else that is thrown is uncertain. */
  readonly execute: (intent: SignedIntent, io: EffectIo) => Promise<Effect> | Effect
  /** Null when it holds, else what does not. */
  readonly postcondition?: (intent: SignedIntent, effect: Effect) => string | null
  /** Asks the provider what became of an effect whose answer was lost. */
  readonly probe?: NonNullable<CapabilityDescription['probe']> & {
    readonly ask: (intent: SignedIntent, io: EffectIo) => Promise<ProbeAnswer> | ProbeAnswer
    /**
     * The same about taking an effect back by `REVERT`, whose intent it gets. Absent: an undoing whose answer was lost goes to a
     * person, where it may not be sent again.
     */
    readonly askUndone?: (
      original: SignedIntent,
      io: EffectIo,
    ) => Promise<ProbeAnswer> | ProbeAnswer
  }
  /**
   * Takes an effect of its own back: the choice `REVERT`. It gets the intent of that effect, and a
   * key of its own. Where it returns no delta, the recorded inverse of the effect's delta is applied.
   */
  readonly compensate?: Compensate
  /** Other choices that a contract may list, such as `CLOSE_ALL`. */
  readonly compensations?: Readonly<Record<string, Compensate>>
  /** How long one send may take. */
  readonly sendDeadlineMs?: number
  /** How long to wait for a resource that somebody else holds; 0: not at all. */
  readonly lockWaitMs?: number
}

/** The effect was definitively not applied. `transient`: the same call may succeed later. */
export class NotApplied extends Error {
  /** The same call may succeed later. */
  readonly transient: boolean
  /** What is known of it, for the answer. */
  readonly details: JsonObject

  constructor(message: string, options: { transient?: boolean; details?: JsonObject } = {}) {
    super(message)
    this.name = 'NotApplied'
    this.transient = options.transient ?? false
    this.details = options.details ?? {}
  }
}

/** A capability after registration: the law's side, the hands, and the check of what they return. */
export type RegisteredCapability = {
  readonly law: CapabilityLaw
  readonly hands: Capability
  readonly checkResult: ((value: JsonValue) => readonly ArgumentProblem[]) | null
}

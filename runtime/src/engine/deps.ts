/** Everything the engine needs from outside, built once in the composition root. */
import type { Address, RuleSet, Rules, Sha256 } from 'rubicon-kernel'
import type { Bus } from '../ports/bus.ts'
import type { RegisteredCapability } from '../ports/capability.ts'
import type { Messenger } from '../ports/channel.ts'
import type { CheckpointSink } from '../ports/checkpoint-sink.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeclaredSource } from '../ports/fact-source.ts'
import type { Failpoints } from '../ports/failpoint.ts'
import type { ManifestSource } from '../ports/manifest-source.ts'
import type { ModelProvider } from '../ports/model.ts'
import type { Channels } from '../ports/notifier.ts'
import type { Random } from '../ports/random.ts'
import type { SemanticAuditor } from '../ports/semantic-auditor.ts'
import type { HeadKey, SignatureChecker, Signer } from '../ports/signer.ts'
import type { SoftGuard } from '../ports/soft-guard.ts'
import type { Store } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { LoadTokenizer } from '../ports/tokenizer.ts'
import type { HeadPlace } from '../ports/tree.ts'
import type { Zones } from '../ports/zones.ts'

export type Deps = {
  readonly tenant: string
  /** The name of this service, which writs carry as their audience. */
  readonly audience: string
  readonly store: Store
  /** Where authority is read; the store itself when there is no registry elsewhere. */
  readonly manifest?: ManifestSource
  /** Carries hints to others; without one what is due is found by looking. */
  readonly bus?: Bus
  readonly clock: Clock
  readonly zones: Zones
  readonly random: Random
  readonly signer: Signer
  readonly headKey: HeadKey
  /** Beside the signing keys; none where the store does not outlive the process. */
  readonly headPlace?: HeadPlace
  readonly checker: SignatureChecker
  /** Registered at start; those that can be asked are, with every decision. */
  readonly sources?: readonly DeclaredSource[]
  readonly tokenizer: LoadTokenizer
  /** What an agent is shown, in tokens, where that is not the usual budget. */
  readonly contextTokens?: number
  readonly sinks: readonly CheckpointSink[]
  readonly failpoints: Failpoints
  /** Who is told; without channels notices wait for an engine that has some. */
  readonly channels?: Channels
  /** What carries messages to channels that operators set up; without one, these wait. */
  readonly messenger?: Messenger
  readonly softGuards?: readonly SoftGuard[]
  /** Nothing is dispatched that a soft guard objects to, or cannot tell of in time. */
  readonly strictSemanticBlocking?: boolean
  readonly auditors?: readonly SemanticAuditor[]
  /** Who hears what the engine does; nobody, when it is left out. */
  readonly telemetry?: Telemetry
  /** By the name under which agents ask for them. */
  readonly models?: Readonly<Record<string, ModelProvider>>
  readonly sha256: Sha256
  readonly book: RuleBook
  /** The change of rules that an operator agrees to; without it other rules are not recorded. */
  readonly acceptRules?: string | RulesAcceptance
}

export type RulesAcceptance = {
  /** The hash that was printed for the change, or whatever comes. */
  readonly hash: string
  /** How long the rules before count too, in milliseconds; without it not at all. */
  readonly previousForMs?: number
}

/** The law in force and the hands that carry it out. */
export type RuleBook = {
  readonly rules: Rules
  readonly ruleSet: RuleSet
  readonly hash: Address
  capability(kind: string): RegisteredCapability | undefined
  capabilities(): readonly RegisteredCapability[]
}

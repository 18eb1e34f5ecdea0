/** What runs outside of the kernel, as whoever starts the runtime configures it. Not by contract. */
import { isIdentifier, type JsonObject } from 'rubicon-kernel'
import type { ModelProvider } from './ports/model.ts'
import type { Notifier } from './ports/notifier.ts'
import type { SemanticAuditor } from './ports/semantic-auditor.ts'
import type { SoftGuard } from './ports/soft-guard.ts'
import type { Telemetry } from './ports/telemetry.ts'
import { RubiconError } from './rubicon-error.ts'

export type ExtensionOptions = {
  /** Who is told, by the name of the channel; the notices of a channel without one are logged. */
  readonly notifiers?: Readonly<Record<string, Notifier>>
  /**
   * What notification channels that operators set up may reach and use: the path of a channels file, or what stands in
   * one. Without it they reach public addresses, and use no secrets.
   */
  readonly channels?: string | JsonObject
  /** Where people open the console; without it, messages to channels have no links. */
  readonly consoleUrl?: string
  /** Asked once a decision is durable; what they object to is flagged for review. */
  readonly softGuards?: readonly SoftGuard[]
  /**
   * Asks the soft guards before every dispatch, and aborts the flow unless all agree in time. The
   * same proposal on the same facts may then end otherwise: determinism is lost.
   */
  readonly strict_semantic_blocking?: boolean
  /** They look at what was carried out, afterwards. */
  readonly auditors?: readonly SemanticAuditor[]
  /** Whom agents may have asked, by the name under which they do. Keys stay here. */
  readonly models?: Readonly<Record<string, ModelProvider>>
  /** Who hears what the engine does, see `createObservability`; nobody when left out. */
  readonly telemetry?: Telemetry
}

export const STRICT_WARNING =
  'strict_semantic_blocking is on: soft guards can abort flows, so the same proposal on the same facts may end otherwise; every proposal waits for them. Use it where little happens and much is at stake'

/** Throws when it cannot be meant. */
export function checkExtensions({
  softGuards = [],
  auditors = [],
  models = {},
  strict_semantic_blocking: strict = false,
}: ExtensionOptions): void {
  checkNames('soft guard', softGuards)
  checkNames('auditor', auditors)
  checkNames(
    'provider of models',
    Object.keys(models).map((name) => ({ name })),
  )
  if (strict && softGuards.length === 0)
    throw createOptionsError(
      'strict_semantic_blocking is on, and there is no soft guard',
      'configure one',
    )
}

/** Records and findings carry the names, so they must tell one from another. */
function checkNames(what: string, named: readonly { readonly name: string }[]): void {
  const names = named.map(({ name }) => name)
  const odd = names.find((name, i) => !isIdentifier(name) || names.indexOf(name) !== i)
  if (odd === undefined) return
  throw createOptionsError(
    `\`${odd}\` is no name for a ${what}, or that of two`,
    'use one identifier for each',
  )
}

function createOptionsError(summary: string, fix: string): RubiconError {
  return new RubiconError({ code: 'OPTIONS_INVALID', summary, fix })
}

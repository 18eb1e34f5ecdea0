/**
 * Turns a capability into what the law reads and what the executor calls, and pins both by hash.
 *
 * The hash covers the description and the text of every function, so that code swapped between an
 * approval and its execution, or between a record and its replay, is noticed.
 */
import {
  type Address,
  ALERT_HUMAN,
  buildManifestLaw,
  type CapabilityDescription,
  type CapabilityLaw,
  computeAddressOfText,
  describeManifest,
  encodeHex,
  encodeUtf8,
  err,
  type Failure,
  isIdentifier,
  isReserved,
  type JsonValue,
  ok,
  parseDecimal,
  REVERT,
  type Result,
  type Sha256,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Capability, RegisteredCapability } from '../ports/capability.ts'
import { findManifestProblem } from './manifest-problem.ts'
import { findPointerProblem } from './pointer-problem.ts'
import { compileSchema, type Validate } from './schema.ts'

export function registerCapability(
  capability: Capability,
  sha256: Sha256,
): Result<RegisteredCapability, Failure> {
  const problem = findCapabilityProblem(capability)
  return problem === null ? pinCapability(capability, sha256) : err(problem)
}

/** Also for the kinds that nobody else may register. */
export function pinCapability(
  capability: Capability,
  sha256: Sha256,
): Result<RegisteredCapability, Failure> {
  const params = compileSchema(capability.params)
  if (!params.ok) return params
  const result = capability.result === undefined ? null : compileSchema(capability.result)
  if (result !== null && !result.ok) return result

  // As it is recorded: which sink or problem is named first follows the order of the members.
  const { manifest } = capability
  const described =
    manifest === undefined ? describe(capability, sha256) : describeManifest(manifest, sha256)
  const text = toCanonicalText(described)
  const description = JSON.parse(text) as CapabilityDescription
  const hash = computeAddressOfText('capability', text, sha256)
  const law =
    manifest === undefined
      ? buildLaw(capability, description, hash, params.value)
      : // What was hashed, not what somebody may change meanwhile.
        {
          description,
          hash,
          validate: params.value,
          ...buildManifestLaw(description.manifest ?? manifest),
        }
  return ok({ law, hands: capability, checkResult: result === null ? null : result.value })
}

function findCapabilityProblem(capability: Capability): Failure | null {
  if (capability.manifest !== undefined) return findManifestProblem(capability, capability.manifest)
  const { kind, effect, idempotency, probe } = capability
  const buildFailure = (summary: string, fix: string): Failure => ({
    code: 'CAPABILITY_INVALID',
    summary,
    fix,
  })
  if (!isIdentifier(kind))
    return buildFailure(`\`${kind}\` is not an identifier`, 'use plain ASCII')
  if (isReserved(kind)) return buildFailure(`\`${kind}\` is a reserved kind`, 'choose another name')
  if (effect === 'queryable' && probe === undefined)
    return buildFailure(
      `\`${kind}\` is queryable but has no probe`,
      'add a probe, or call it unsafe',
    )
  if (effect === 'unsafe' && probe !== undefined)
    return buildFailure(`\`${kind}\` is unsafe but has a probe`, 'call it queryable')
  if (idempotency !== undefined && idempotency.window_s <= 0)
    return buildFailure(
      `\`${kind}\` has an empty idempotency window`,
      'give the provider’s window in seconds',
    )
  if (capability.branches !== undefined && capability.branches !== 'world')
    return buildFailure(
      `\`branches\` of \`${kind}\` is not \`world\``,
      'leave it out, or see that nothing but World is changed on a branch',
    )
  const unnamed = Object.keys(capability.compensations ?? {}).find((name) => !isChoice(name))
  if (unnamed !== undefined)
    return buildFailure(
      `\`${kind}\` cannot offer \`${unnamed}\` as a compensation`,
      'use an identifier; `REVERT` is what `compensate` does, `ALERT_HUMAN` is the runtime’s',
    )
  return (
    findPointerProblem(capability) ??
    measureProblem(capability) ??
    watchProblem(capability) ??
    findTouchProblem(capability)
  )
}

/** An exposure that nothing computes would make every request a large one, or none. */
function measureProblem({ kind, measures = {}, exposure }: Capability): Failure | null {
  if (exposure === undefined) return null
  const { measure, threshold } = exposure
  const buildProblem = (summary: string, fix: string): Failure => ({
    code: 'CAPABILITY_INVALID',
    summary,
    fix,
  })
  if (!Object.hasOwn(measures, measure))
    return buildProblem(
      `the exposure of \`${kind}\` is \`${measure}\`, which is none of its measures`,
      `name one of \`measures\`: ${Object.keys(measures).sort().join(', ') || 'it has none'}`,
    )
  if (parseDecimal(threshold) === undefined)
    return buildProblem(
      `the threshold \`${threshold}\` of \`${kind}\` is no decimal`,
      'write it as in "2500.00"',
    )
  return null
}

/** A field that is not named cannot be asked for by a contract; one that nobody gives is no field. */
function watchProblem({ kind, jit, jit_fields = [] }: Capability): Failure | null {
  const buildFailure = (summary: string, fix: string): Failure => {
    return { code: 'CAPABILITY_INVALID', summary, fix }
  }
  if (jit !== undefined && jit_fields.length === 0)
    return buildFailure(
      `\`${kind}\` has \`jit\` and no \`jit_fields\``,
      'name the fields that it gives',
    )
  if (jit === undefined && jit_fields.length > 0)
    return buildFailure(
      `\`${kind}\` has \`jit_fields\` and no \`jit\``,
      'say in `jit` where they stand',
    )
  const wrong = jit_fields.find((name, at) => !isIdentifier(name) || jit_fields.indexOf(name) < at)
  return wrong === undefined
    ? null
    : buildFailure(
        `\`${wrong}\` of \`${kind}\` is no jit field`,
        'name each once, by an identifier',
      )
}

/** What names a resource, a value that steers it or an amount at stake touches something. */
function findTouchProblem(capability: Capability): Failure | null {
  const { kind, touches, scopes = {}, sinks = {}, exposure, resources } = capability
  if (touches === undefined) return null
  const named = Object.keys(scopes).length + Object.keys(sinks).length > 0
  if (touches === 'none' && !named && exposure === undefined && resources === undefined) return null
  return {
    code: 'CAPABILITY_INVALID',
    summary: `\`${kind}\` says that it touches nothing, and names what it touches`,
    why: 'rules of contracts are not asked of what touches nothing',
    fix: 'leave out `touches`, or `scopes`, `sinks`, `exposure` and `resources`',
  }
}

function isChoice(name: string): boolean {
  return isIdentifier(name) && name !== REVERT && name !== ALERT_HUMAN
}

/** What it can do about an effect of its own. */
function listCompensations({ compensate, compensations = {} }: Capability): readonly string[] {
  return [...(compensate === undefined ? [] : [REVERT]), ...Object.keys(compensations)].sort()
}

function describe(capability: Capability, sha256: Sha256): CapabilityDescription {
  const { kind, effect, risk, params, result, idempotency, probe, touches } = capability
  const { jit_fields = [], branches } = capability
  const compensations = listCompensations(capability)
  return {
    kind,
    version: capability.version ?? '1',
    summary: capability.summary ?? '',
    effect,
    risk,
    reversible: capability.reversible ?? false,
    reducing: capability.reducing ?? false,
    world_only: capability.worldOnly ?? false,
    ...(branches === undefined ? {} : { branches }),
    params,
    ...(result === undefined ? {} : { result }),
    measures: Object.keys(capability.measures ?? {}).sort(),
    ...(capability.exposure === undefined ? {} : { exposure: capability.exposure }),
    scopes: capability.scopes ?? {},
    ...(jit_fields.length === 0 ? {} : { jit_fields: [...jit_fields].sort() }),
    ...(touches === undefined ? {} : { touches }),
    sinks: capability.sinks ?? {},
    ...(capability.accepts === undefined ? {} : { accepts: capability.accepts }),
    cost: capability.cost ?? {},
    ...(idempotency === undefined ? {} : { idempotency }),
    ...(compensations.length === 0 ? {} : { compensations }),
    ...(probe === undefined
      ? {}
      : {
          probe: {
            absence_authoritative: probe.absence_authoritative,
            max_late_arrival_s: probe.max_late_arrival_s,
          },
        }),
    source: {
      kind: 'inline',
      hash: `sha256:${encodeHex(sha256(encodeUtf8(formatFunctionSources(capability))))}`,
    },
  }
}

function formatFunctionSources(capability: Capability): string {
  const functions: [string, unknown][] = Object.entries({ ...capability, ...capability.probe })
  for (const named of [capability.measures, capability.compensations])
    functions.push(...Object.entries(named ?? {}))
  return functions
    .filter(([, value]) => typeof value === 'function')
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join('\n')
}

function buildLaw(
  capability: Capability,
  description: CapabilityDescription,
  hash: Address,
  validate: Validate,
): CapabilityLaw {
  const measures = Object.entries(capability.measures ?? {})
  return {
    description,
    hash,
    validate,
    reads(params) {
      const { state = [], world = [] } = capability.reads?.(params) ?? {}
      return { state, world }
    },
    measures(params, view) {
      const computed: Record<string, JsonValue | undefined> = {}
      for (const [name, measure] of measures) computed[name] = measure(params, view)
      return computed
    },
    resources: (params, view) => capability.resources?.(params, view) ?? [],
    jit: (params) => capability.jit?.(params) ?? {},
    cost: (params, view) => capability.costOf?.(params, view) ?? {},
    precondition: (params, view) => capability.precondition?.(params, view) ?? null,
  }
}

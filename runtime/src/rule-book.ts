/** The law in force: registered capabilities, ordered policies, and one hash over all of it. */
import {
  type CapabilityLaw,
  err,
  type Failure,
  LIMITS,
  ok,
  type Policy,
  policyTexts,
  type Result,
  type RuleSet,
  type Rules,
  ruleSet,
  rulesHash,
  type Sha256,
} from 'rubicon-kernel'
import { pinCapability, registerCapability } from './capabilities/register.ts'
import { RESERVED, RESERVED_VERSION } from './capabilities/reserved.ts'
import { REGEX_ENGINE, SCHEMA_ENGINE } from './capabilities/schema.ts'
import { matchesRegex } from './policies/regex.ts'
import type { Capability, RegisteredCapability } from './ports/capability.ts'

export const CEDAR_ENGINE = 'cedar-wasm/4.13.0'

export type Book = {
  readonly rules: Rules
  readonly ruleSet: RuleSet
  readonly hash: Rules['hash']
  capability(kind: string): RegisteredCapability | undefined
  capabilities(): readonly RegisteredCapability[]
}

export function ruleBook(
  capabilities: readonly Capability[],
  policies: readonly Policy[],
  sha256: Sha256,
): Result<Book, Failure> {
  if (policies.length > LIMITS.policies)
    return err({
      code: 'POLICY_INVALID',
      summary: `there are more than ${LIMITS.policies} policies`,
      fix: 'put several rules into one policy',
    })
  const names = policies.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    return err({
      code: 'POLICY_INVALID',
      summary: `two policies are called \`${twice}\``,
      why: 'what asks for a person is lifted by the name of its policy: one yes would be taken for two',
      fix: 'give each policy a name of its own',
    })
  const texts = Object.values(policyTexts(policies)).join('')
  if (texts.length > LIMITS.policyTexts)
    return err({
      code: 'POLICY_INVALID',
      summary: `the policies have more than ${LIMITS.policyTexts} characters`,
      why: 'their text stands in the ledger, where it is kept for ever',
      fix: 'write fewer or shorter rules',
    })
  const registered = new Map<string, RegisteredCapability>()
  for (const capability of capabilities) {
    if (registered.has(capability.kind))
      return err({
        code: 'CAPABILITY_INVALID',
        summary: `\`${capability.kind}\` is registered twice`,
        fix: 'give each capability its own kind',
      })
    const done = registerCapability(capability, sha256)
    if (!done.ok) return done
    registered.set(capability.kind, done.value)
  }
  for (const capability of RESERVED) {
    const done = pinCapability(capability, sha256)
    if (!done.ok) return done
    registered.set(capability.kind, done.value)
  }
  const set = ruleSet(
    policies,
    {
      cedar: CEDAR_ENGINE,
      regex: REGEX_ENGINE,
      reserved: RESERVED_VERSION,
      schema: SCHEMA_ENGINE,
    },
    sha256,
  )
  const hash = rulesHash(set, sha256)
  const rules: Rules = {
    hash,
    policies,
    capability: (kind): CapabilityLaw | undefined => registered.get(kind)?.law,
    regex: matchesRegex,
    sha256,
  }
  return ok({
    rules,
    ruleSet: set,
    hash,
    capability: (kind) => registered.get(kind),
    capabilities: () => [...registered.values()],
  })
}

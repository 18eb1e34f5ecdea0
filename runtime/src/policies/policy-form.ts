/** The forms in which a policy is given, and how one is told from another. */
import type { Policy, PolicySource } from 'rubicon-kernel'

/** Cedar with a name. Without a version it is `1`: its bytes say what it is. */
export type CedarText = {
  /** By which verdicts name it. */
  readonly name: string
  /** The policies, in Cedar. */
  readonly text: string
  /** Raised with every change, where somebody counts. */
  readonly version?: string
  /** Policy kinds it applies to; absent means all. */
  readonly applies_to?: readonly string[]
}

/** A pure function: the same input gives the same answer, for ever. */
export type TypeScriptPolicy = Pick<Policy, 'name' | 'version' | 'applies_to' | 'evaluate'>

/**
 * A text is the path of a `.cedar` or TypeScript file, or Cedar itself. Cedar without a name is called
 * by the beginning of its hash.
 */
export type PolicyForm = string | CedarText | TypeScriptPolicy | Policy

export type WrittenPolicy =
  | { readonly kind: 'cedar'; readonly cedar: CedarText }
  | { readonly kind: 'function'; readonly policy: Policy }

/** No path is of several lines or ends with a semicolon, and Cedar that says anything ends with one. */
export function isCedarText(text: string): boolean {
  return text.includes('\n') || text.trimEnd().endsWith(';')
}

/** Null: it is neither of them. What stands in its members beside these is checked with the rules. */
export function parseWritten(form: unknown): WrittenPolicy | null {
  if (typeof form !== 'object' || form === null) return null
  const { name, version, text, evaluate, source } = form as Partial<Policy>
  if (typeof name !== 'string') return null
  if (typeof evaluate === 'function') {
    if (typeof version !== 'string' || !(source === undefined || isSource(source))) return null
    const policy = form as Policy
    const policyWithSource = source === undefined ? pinPolicy(policy, { kind: 'unpinned' }) : policy
    return { kind: 'function', policy: policyWithSource }
  }
  if (typeof text !== 'string' || evaluate !== undefined) return null
  if (version !== undefined && typeof version !== 'string') return null
  return { kind: 'cedar', cedar: form as CedarText }
}

/** The same function under a source of ours, whatever it says of itself. */
export function pinPolicy(policy: TypeScriptPolicy, source: PolicySource): Policy {
  const { name, version, applies_to } = policy
  return {
    name,
    version,
    source,
    ...(applies_to === undefined ? {} : { applies_to }),
    evaluate: (input) => policy.evaluate(input),
  }
}

/** What was loaded before says what it is pinned by. */
function isSource(source: unknown): boolean {
  if (typeof source !== 'object' || source === null || !('kind' in source)) return false
  if (source.kind === 'unpinned') return true
  return (
    source.kind === 'file' &&
    'hash' in source &&
    typeof source.hash === 'string' &&
    'language' in source &&
    (source.language === 'cedar' || source.language === 'typescript')
  )
}

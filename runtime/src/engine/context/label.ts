/**
 * Whose word something is. Labels decide which facts may ground an action, so that whoever sends
 * something can give it his own label or a lesser one, and none above.
 */
import { err, type FactLabel, type Failure, type JsonValue, ok, type Result } from 'rubicon-kernel'

const MAY_GIVE: Readonly<Record<FactLabel, readonly FactLabel[]>> = {
  trusted: ['trusted', 'operator', 'external', 'agent'],
  operator: ['operator', 'external', 'agent'],
  external: ['external'],
  agent: ['agent'],
}

/** What is asked for, where `by` may give it; without a wish his own. */
export function resolveLabel(
  by: FactLabel,
  wanted: JsonValue | undefined,
): Result<FactLabel, Failure> {
  if (wanted === undefined) return ok(by)
  const given = MAY_GIVE[by].find((label) => label === wanted)
  if (given !== undefined) return ok(given)
  return err({
    code: 'OBSERVATION_LABEL',
    summary: `what comes as \`${by}\` cannot be labelled \`${String(wanted)}\``,
    why: 'a label says who vouches for a text, and nobody can name somebody else',
    fix: 'leave the label out',
  })
}

/** From somebody whose words nobody has looked at. */
export function isUntrusted(label: FactLabel): boolean {
  return label === 'external' || label === 'agent'
}

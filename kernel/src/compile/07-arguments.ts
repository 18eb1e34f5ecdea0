/**
 * Stage 7: the parameters fit the capability's own schema, and those that steer the effect come
 * from facts. A sink without a ground is how an injected instruction becomes an account number.
 */
import { assert } from '../assert.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { getOwn } from '../contract/own.ts'
import type { ArgumentProblem, CapabilityLaw, FactView } from '../execution/capability.ts'
import type { FactLabel } from '../fact/label.ts'
import { type Located, resolvePointer } from '../proposal/pointer.ts'
import type { CompileInput, Findings } from './input.ts'
import { createFactView } from './input.ts'
import type { Stage, StageResult } from './stage.ts'
import { PASS, refuse } from './stage.ts'

export const argumentsStage: Stage = {
  name: 'arguments',
  reads: ['state'],
  run(input: CompileInput, { law }: Findings): StageResult {
    assert(law !== undefined, 'the capability stage ran before the arguments stage')
    const problems = findArgumentProblems(law, input.proposal.params)
    if (problems.length > 0) {
      const named = problems.slice(0, 16).map(({ path, detail }) => ({ path, detail }))
      return refuse('ARGUMENTS_INVALID', { problems: named })
    }
    return checkSinks(input, law)
  },
}

/** A schema that cannot be evaluated fits nothing. */
function findArgumentProblems(law: CapabilityLaw, params: JsonObject): readonly ArgumentProblem[] {
  try {
    return law.validate(params)
  } catch {
    return [{ path: '', detail: 'the parameters could not be validated' }]
  }
}

/** A sink reaches into objects and arrays: each element that steers the effect has its own ground. */
function checkSinks({ facts, proposal, contract }: CompileInput, law: CapabilityLaw): StageResult {
  const view = createFactView(facts.value, { law, contract })
  for (const [sink, labels] of Object.entries(law.description.sinks)) {
    for (const place of resolvePointer(proposal.params, sink)) {
      const result = checkSink(place, labels, proposal.grounds ?? {}, view)
      if (result.said !== 'pass') return result
    }
  }
  return PASS
}

/** Where nothing is given nothing is steered; but what stands in the way of a sink may be one. */
function checkSink(
  place: Located,
  labels: readonly FactLabel[],
  grounds: Readonly<Record<string, string>>,
  view: FactView,
): StageResult {
  const { pointer: parameter } = place
  if (place.kind === 'absent') return PASS
  const ground = getOwn(grounds, parameter)
  const fact = ground === undefined ? undefined : view.state(ground)
  if (place.kind === 'blocked' || fact === undefined || !isSameJson(fact.value, place.value))
    return refuse('SINK_UNGROUNDED', { parameter, ground: ground ?? null })
  return labels.includes(fact.label) ? PASS : refuse('SINK_LABEL', { parameter, label: fact.label })
}

function isSameJson(a: JsonValue, b: JsonValue): boolean {
  return toCanonicalText(a) === toCanonicalText(b)
}

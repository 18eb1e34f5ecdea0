/**
 * Stage 7: the parameters fit the capability's own schema, and those that steer the effect come
 * from facts. A sink without a ground is how an injected instruction becomes an account number.
 */
import { assert } from '../assert.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { canonicalText } from '../canonical/write-json.ts'
import { own } from '../contract/own.ts'
import { parameterAt } from '../contract/parameter.ts'
import type { ArgumentProblem, CapabilityLaw } from '../execution/capability.ts'
import type { CompileInput, Findings } from './input.ts'
import { factView } from './input.ts'
import type { Stage, StageResult } from './stage.ts'
import { PASS, refuse } from './stage.ts'

export const argumentsStage: Stage = {
  name: 'arguments',
  reads: ['state'],
  run(input: CompileInput, { law }: Findings): StageResult {
    assert(law !== undefined, 'the capability stage ran before the arguments stage')
    const problems = problemsOf(law, input.proposal.params)
    if (problems.length > 0) {
      const named = problems.slice(0, 16).map(({ path, detail }) => ({ path, detail }))
      return refuse('ARGUMENTS_INVALID', { problems: named })
    }
    return checkSinks(input, law)
  },
}

/** A schema that cannot be evaluated fits nothing. */
function problemsOf(law: CapabilityLaw, params: JsonObject): readonly ArgumentProblem[] {
  try {
    return law.validate(params)
  } catch {
    return [{ path: '', detail: 'the parameters could not be validated' }]
  }
}

/** A sink may be named by a dotted path, as scopes are: a nested account is an account too. */
function checkSinks({ facts, proposal }: CompileInput, law: CapabilityLaw): StageResult {
  const view = factView(facts.value)
  for (const [parameter, labels] of Object.entries(law.description.sinks)) {
    const value = own(proposal.params, parameter) ?? parameterAt(proposal.params, parameter)
    if (value === undefined) continue
    const ground = own(proposal.grounds ?? {}, parameter)
    const fact = ground === undefined ? undefined : view.state(ground)
    if (fact === undefined || !same(fact.value, value))
      return refuse('SINK_UNGROUNDED', { parameter, ground: ground ?? null })
    if (!labels.includes(fact.label)) return refuse('SINK_LABEL', { parameter, label: fact.label })
  }
  return PASS
}

function same(a: JsonValue, b: JsonValue): boolean {
  return canonicalText(a) === canonicalText(b)
}

/** Those of grammars, of the forms of payloads and of what is told of atoms: nothing of them can be seen. */
import type { Equivalent } from './equivalent.ts'
import { listEquivalents } from './list-equivalents.ts'

const EITHER = 'where both are equal either one is taken'
const ANEW = 'what is not remembered is computed anew'
const SIGN = 'only the sign says who comes first'
const ABSENT = 'what is absent is refused either way'
const READ = 'the form of a time was checked when it was read: there is nothing to stand in for'
const LOST = "return compareBids(law, bid, winner) < 0 ? ['it outranks what it lost to'] : []"

export const EQUIVALENT_FORMS: readonly Equivalent[] = [
  ...listEquivalents('kernel/src/grammar/decimal-range.ts', EITHER, [
    ['describeDecimalRange', '>', '>='],
    ['listFromZero', '>', '>=', 'const from = min > least ? min : least'],
    ['listFromZero', '<', '<=', 'const to = max < most ? max : most'],
  ]),
  ...listEquivalents(
    'kernel/src/grammar/decimal-range.ts',
    'what is nought is exact, and was given back before',
    [['roundDown', '<', '<=']],
  ),
  ...listEquivalents(
    'kernel/src/grammar/decimal-form.ts',
    'past its end nothing stands, and no digit is called so',
    [['takeNumber', " ?? ' '", '']],
  ),
  ...listEquivalents('kernel/src/grammar/integer-range.ts', EITHER, [
    ['readIntegerRange', '>', '>='],
    ['readIntegerRange', '<', '<='],
  ]),
  ...listEquivalents(
    'kernel/src/grammar/integer-range.ts',
    'what is absent is no decimal either way',
    [['readIntegerRange', ' ?? null', '']],
  ),
  ...listEquivalents(
    'kernel/src/grammar/narrow-kind.ts',
    'the ends and the field of a limit were read when the contract was',
    [
      ['applyRange', ' ?? LEAST', ''],
      ['applyRange', ' ?? null', ''],
      ['applyRange', " ?? ''", ''],
    ],
  ),
  ...listEquivalents(
    'kernel/src/grammar/node.ts',
    'a decimal of which no value is left is no node',
    [['toNodeSchema', " ?? ''", '']],
  ),
  ...listEquivalents(
    'kernel/src/grammar/param-range.ts',
    'nought has no sign, the same value at every scale, and is no factor here',
    [
      ['countDigits', '<', '<='],
      ['ZERO', '0', '1'],
      ['divideRange', '>', '>='],
      [
        'divideInwards',
        '<',
        '<=',
        'const [over, under] = divisor < 0n ? [-dividend, -divisor] : [dividend, divisor]',
      ],
      [
        'divideInwards',
        '<',
        '<=',
        'const floor = over < 0n && !isExact ? quotient - 1n : quotient',
      ],
    ],
  ),
  ...listEquivalents('kernel/src/proof/shape.ts', 'what a document holds is never undefined', [
    ['listOf', ' ?? null', ''],
    ['findMemberProblem', ' ?? null', ''],
  ]),
  ...listEquivalents(
    'kernel/src/proof/shape.ts',
    'only what is missing is asked for besides, and nothing is',
    [
      [
        'createExactShape',
        'if (problem === undefined && given === all.size) return undefined',
        ';',
      ],
    ],
  ),
  ...listEquivalents(
    'kernel/src/proof/exported-entry.ts',
    'what is absent is no kind of those that are sent either way',
    [['checkEnvelopeShape', ' ?? null', '']],
  ),
  ...listEquivalents('kernel/src/proof/payload-shape.ts', 'whatever is no writ has a problem', [
    ['checkWritShape', '?.', '.'],
    ['checkWritShape', " ?? 'unknown problem'", ''],
  ]),
  ...listEquivalents('verifier/src/effects/atoms.ts', READ, [
    ['findIssueProblems', ' ?? 0', ''],
    [
      'findIssueProblems',
      '0',
      '1',
      'const lasts = (parseInstant(atom.expires_at) ?? 0) - (parseInstant(atom.issued_at) ?? 0)',
    ],
  ]),
  ...listEquivalents(
    'verifier/src/effects/arbitration.ts',
    'the order of bids has no ties between flows',
    [
      ['findLostProblems', '<', '<=', LOST],
      ['findLostProblems', '0', '1', LOST],
    ],
  ),
  ...listEquivalents('verifier/src/effects/arbitration.ts', READ, [
    ['computeEarliestEnd', ' ?? 0', ''],
    ['computeEarliestEnd', '0', '1'],
  ]),
  ...listEquivalents('kernel/src/arbitration/rank.ts', SIGN, [
    ['compareBids', '1', '2'],
    ['compareText', '1', '2'],
  ]),
  ...listEquivalents('kernel/src/arbitration/rank.ts', 'equal texts were answered before', [
    ['compareText', '<', '<='],
  ]),
  ...listEquivalents('kernel/src/topology/admission.ts', SIGN, [['compareTexts', '1', '2']]),
  ...listEquivalents('kernel/src/proposal/parse-proposal.ts', ABSENT, [
    ['checkResources', ' ?? null', ''],
  ]),
  ...listEquivalents('kernel/src/proposal/proof-carrying-intent.ts', ABSENT, [
    ['toProvenProposal', ' ?? null', ''],
  ]),
  ...listEquivalents(
    'kernel/src/proposal/schema-version.ts',
    'no character stands between the nine and it',
    [['isPart', "'9'", "'9x'"]],
  ),
  ...listEquivalents('kernel/src/world/merge-patch.ts', 'what is absent is no object either way', [
    ['mergePatch', ' ?? null', ''],
  ]),
  ...listEquivalents('kernel/src/expression/evaluate.ts', ANEW, [
    ['parse', 'this.#places.set(pointer, names)', ';'],
  ]),
  ...listEquivalents('kernel/src/contract/mission.ts', ANEW, [
    ['formatMission', 'texts.set(contract, text)', ';'],
  ]),
  ...listEquivalents('kernel/src/contract/applies.ts', 'a text has no `applies_to` either', [
    ['selectEnvelope', "'string'", "'stringx'"],
  ]),
  ...listEquivalents('kernel/src/compile/08-preconditions.ts', 'it was found in an earlier stage', [
    ['checkContextIdentity', '?.', '.'],
  ]),
  ...listEquivalents('kernel/src/contract/pattern.ts', 'both ways find the same', [
    ['isEachCovered', '<=', '<'],
  ]),
  ...listEquivalents(
    'kernel/src/contract/safety-widening.ts',
    'only which of two is larger counts',
    [['computeSeverity', '2', '3']],
  ),
  ...listEquivalents(
    'kernel/src/execution/reconcile.ts',
    'no time is before null, and nothing is no yes',
    [
      ['mayResend', ' ?? -Infinity', ''],
      ['mayResend', "'unsafe'", "'unsafex'"],
    ],
  ),
  ...listEquivalents('kernel/src/expression/text-template.ts', 'what is no number has no decimal', [
    ['toTemplateText', "if (typeof value !== 'number') return undefined", ';'],
  ]),
  ...listEquivalents('kernel/src/ledger/contract-turn.ts', 'what is no number is behind nothing', [
    ['findContractTurn', ' ?? 0', '', '.map((text) => parseInstant(text) ?? 0)'],
  ]),
  ...listEquivalents(
    'kernel/src/monitor/duration.ts',
    'a minute is longer than what the limit grows',
    [['LONGEST_MS', '86_400_000', '86400001']],
  ),
  ...listEquivalents(
    'kernel/src/monitor/sample.ts',
    'a sample without one of its sources is left out before',
    [['createReader', ' ?? null', '']],
  ),
  ...listEquivalents('kernel/src/policy/evaluate.ts', 'what refuses has its words', [
    ['evaluatePolicies', " ?? ''", ''],
  ]),
]

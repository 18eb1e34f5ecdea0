/**
 * What texts say that try to give orders to whoever reads them. Closed, by name, as data.
 *
 * A phrase is a row of words with single spaces. `a|b` is either word; `(a|b)` is up to four words of
 * these, or none. A marker is a piece of text that stands there as it is, in any case.
 *
 * The phrases are narrow on purpose. "You are now subscribed", "exceed the limit" and "act as agent"
 * are ordinary business; a flag that is always up tells nobody anything.
 */
export type InjectionFlag =
  | 'ignore_instructions'
  | 'role_change'
  | 'system_prompt'
  | 'exfiltration'
  | 'override_limits'

export type InjectionPattern = {
  readonly flag: InjectionFlag
  readonly phrases: readonly string[]
  readonly markers: readonly string[]
}

const WHICH = 'all|any|every|previous|prior|above|earlier|preceding|your|these|those|existing'
const FILLING = `(the|of|my|our|other|such|given|${WHICH})`
const RULES = 'instructions|instruction|rules|limits|guidelines|constraints|directives|prompts'
const ODD_ROLE =
  'ai|llm|dan|bot|chatbot|root|superuser|unrestricted|unfiltered|uncensored|jailbroken'
const SECRETS = 'credentials|secrets|passwords|tokens'
const SAYS = 'send|post|upload|forward|leak|exfiltrate|transmit|reveal|print|output|dump|paste'
const WHOSE = '(me|us|the|to|out|of|here) your|all|every|any'
const KINDS_OF_LIMIT = '(the|of|your|our|spending|daily|risk|safety|security|internal|human|budget)'
const SAFEGUARDS =
  'limits|limit|guardrails|safeguards|restrictions|approvals|approval|controls|checks|policies'

export const INJECTION_PATTERNS: readonly InjectionPattern[] = [
  {
    flag: 'ignore_instructions',
    phrases: [
      `ignore|disregard|forget|overlook (the|of) ${WHICH} ${FILLING} ${RULES}`,
      'ignore|disregard|forget everything|anything (that|you|were|was|have|been) above|before|told|said',
      'do|must|should not follow|obey (the) previous|prior|above|earlier|your (own) instructions|rules',
      'your new|real|actual|true instructions are',
    ],
    markers: [],
  },
  {
    flag: 'role_change',
    phrases: [
      `you are now (a|an|the|my|in|acting|as|new|fully) ${ODD_ROLE}|assistant|admin|administrator|developer`,
      `act as (a|an|the|my|if|you|were|are|fully) ${ODD_ROLE}`,
      'act as if|though you have|had|are|were (no|not) limits|limit|rules|restrictions|bound|free',
      `pretend (to|that|you|be|are|were|a|an|the|my) ${ODD_ROLE}`,
      'your new persona|identity is',
      'enter|enable|activate (the|your) dan|god|jailbreak|unrestricted mode',
    ],
    markers: [],
  },
  {
    flag: 'system_prompt',
    phrases: [
      'system|developer prompt',
      'reveal|print|repeat|show|output|display (me|us|the|all|of) your (full|initial|original|hidden|secret|exact|own) prompt|instructions',
    ],
    markers: [
      '<|im_start|>',
      '<|im_end|>',
      '<|system|>',
      '<|endoftext|>',
      '<|start_header_id|>',
      '<|eot_id|>',
      '[inst]',
      '[/inst]',
      '<<sys>>',
    ],
  },
  {
    flag: 'exfiltration',
    phrases: [
      `${SAYS} ${WHOSE} (the|of|your|our|stored|saved|secret|private|user|customer) ${SECRETS}`,
      `${SAYS} ${WHOSE} (the|of|your|our|stored|saved|secret) api|private|signing|encryption|access key|keys`,
    ],
    markers: [],
  },
  {
    flag: 'override_limits',
    phrases: [
      `override|bypass|disable|circumvent|evade (the|of) all|any|every|your|these|those ${KINDS_OF_LIMIT} ${SAFEGUARDS}`,
      'you are no longer bound|limited|restricted',
      'you have no (spending|risk|budget) limits|limit|restrictions',
    ],
    markers: [],
  },
]

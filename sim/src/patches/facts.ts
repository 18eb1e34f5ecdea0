/** Mistakes about who may say what, and what is believed. */
import type { Patch } from './patch.ts'

export const FACTS_PATCHES: readonly Patch[] = [
  {
    name: 'freed-resource-uncounted',
    test: {
      file: 'runtime/src/engine/effect/released.findings.test.ts',
      title:
        'nothing is sent on what a source said before the last effect on the resource was over, in memory',
    },
    edits: [
      {
        file: 'runtime/src/engine/effect/locks.ts',
        function: 'buildLockWrites',
        before: '[...dropLocks(holder), ...countReleases(holder.resources, sha256)]',
        after: 'dropLocks(holder)',
      },
    ],
  },
  {
    name: 'named-resources-counted-alone',
    test: {
      file: 'runtime/src/engine/effect/released.findings.test.ts',
      title: 'nor where only the source can say which resource it is',
    },
    edits: [
      {
        file: 'runtime/src/engine/rows/release-counts.ts',
        function: 'buildReleaseGuards',
        before: 'counts.get(id) ?? -1',
        after: 'counts.get(id) ?? Number.MAX_SAFE_INTEGER',
      },
      {
        file: 'runtime/src/engine/judge/read-guarded.ts',
        function: 'readGuarded',
        before: 'look === LOOKS',
        after: 'look === 1',
      },
    ],
  },
  {
    name: 'declared-source-speaks-as-an-operator',
    test: {
      file: 'runtime/src/engine/observe/observe.test.ts',
      title:
        'a source that this process declares does not speak as an operator of what another one owns',
    },
    edits: [
      {
        file: 'runtime/src/engine/observe/speaker.ts',
        function: 'resolveVoice',
        before: 'isDeclared(context, one.source)',
        after:
          "isDeclared(context, one.source) && owner.kind === 'source' && owner.source.source_id === one.source",
      },
    ],
  },
  {
    name: 'agent-speaks-as-operator',
    findings: ['1a', '1b'],
    edits: [
      {
        file: 'runtime/src/engine/observe/speaker.ts',
        function: 'resolveVoice',
        before: 'return resolveAgentVoice(one, owner, speaker.agent_id)',
        after: 'return buildOperatorVoice(owner, speaker.agent_id)',
      },
    ],
  },
  {
    name: 'labels-decide-nothing',
    findings: ['1a'],
    edits: [
      {
        file: 'kernel/src/compile/input.ts',
        function: 'isReadable',
        before: 'return isAccepted(',
        after: 'return true || isAccepted(',
      },
    ],
  },
  {
    name: 'claims-of-everybody',
    findings: ['1b'],
    edits: [
      {
        file: 'runtime/src/engine/observe/speaker.ts',
        function: 'resolveAgentVoice',
        before: ' || owner.agent_id !== agent',
        after: '',
      },
    ],
  },
  {
    name: 'monitors-believe-anybody',
    edits: [
      {
        file: 'runtime/src/engine/monitors/execution.ts',
        function: 'findStateValue',
        before: 'fact !== undefined && isAccepted(fact, []) ? fact.value : undefined',
        after: 'fact?.value',
      },
    ],
  },
  {
    name: 'declaration-takes-the-place',
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/fact-sources.ts',
        function: 'registerDeclared',
        before: 'description, checkDeclaration)',
        after: 'description, checkSourceAdmission)',
      },
    ],
  },
  {
    name: 'operators-wait-for-the-owners-clock',
    edits: [
      {
        file: 'runtime/src/engine/observe/observation-time.ts',
        function: 'checkObservationTime',
        before: 'word.until === undefined ? said : operator',
        after: 'said ?? operator',
      },
    ],
  },
  {
    name: 'overruled-words-come-back',
    edits: [
      {
        file: 'runtime/src/engine/context/standing-fact.ts',
        function: 'findStandingFact',
        before: 'said.overruled === undefined && ',
        after: '',
      },
    ],
  },
  {
    name: 'words-before-a-stand-in-count',
    edits: [
      {
        file: 'runtime/src/engine/observe/observation-time.ts',
        function: 'isLater',
        before: 'return word.observed_at > last.observed_at',
        after: 'return word.observed_at > last.observed_at || word.source !== last.source',
      },
    ],
  },
  {
    name: 'words-of-any-age',
    test: {
      file: 'runtime/src/engine/observe/observation-time.test.ts',
      title: 'OBSERVATION_STALE: a first word is not taken at any age',
    },
    edits: [
      {
        file: 'runtime/src/engine/observe/observation-time.ts',
        function: 'checkObservationTime',
        before: 'ageMs > LIMITS.observationAgeMs',
        after: 'ageMs === Number.POSITIVE_INFINITY',
      },
    ],
  },
  {
    name: 'ended-words-decide',
    edits: [
      {
        file: 'kernel/src/compile/10-emission.ts',
        function: 'dispatchDeadline',
        before: ', ...words]',
        after: ']',
      },
      {
        file: 'runtime/src/engine/effect/dispatch.ts',
        function: 'endGuards',
        before: 'until === undefined ? [] : ',
        after: "until !== '' ? [] : ",
      },
    ],
  },
  {
    name: 'asked-sources-say-anything',
    test: {
      file: 'runtime/src/engine/context/read-outside.test.ts',
      title: 'a source that answers with something else has said nothing that can be decided on',
    },
    edits: [
      {
        file: 'runtime/src/engine/context/read-outside.ts',
        function: 'findReadingsProblem',
        before: 'const observedMs =',
        after: 'continue\n    const observedMs =',
      },
    ],
  },
]

/** Those that the auditor of the storm sees, too. */
export const FACTS_IN_STORM: readonly string[] = [
  'declaration-takes-the-place',
  'agent-speaks-as-operator',
  'labels-decide-nothing',
]

/** Of these, what is wrong with answers of sources that are asked. */
export const READS_IN_STORM: readonly string[] = ['freed-resource-uncounted']

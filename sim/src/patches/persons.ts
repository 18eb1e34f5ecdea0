/** Mistakes about who is who: names compared in the place of persons. */
import type { Patch } from './patch.ts'

export const PERSONS_PATCHES: readonly Patch[] = [
  {
    name: 'nobody-erases',
    edits: [
      {
        file: 'server/src/http/routes/erasures.ts',
        function: 'createErasureRoutes',
        before: "principal.kind === 'person' && !isLocal",
        after: "principal.kind === 'stranger' && !isLocal",
      },
      {
        file: 'server/src/people/person-asking.ts',
        function: 'isNobodys',
        before: '(await identifySpeaker(engine, principal)) === null',
        after: 'false',
      },
    ],
  },
  {
    name: 'login-is-its-own-person',
    findings: ['8d'],
    edits: [
      {
        file: 'runtime/src/engine/authority/persons/person-behind.ts',
        function: 'identifyPerson',
        before: '?? NOBODY) : NOBODY',
        after: '?? principal) : NOBODY',
      },
    ],
  },
  {
    name: 'approvers-told-apart-by-name',
    findings: ['8e'],
    edits: [
      {
        file: 'kernel/src/escalation/judge-decision.ts',
        function: 'checkQuorum',
        before: 'one.person === by.person || isSameName',
        after: 'isSameName',
      },
      {
        file: 'runtime/src/engine/approve/decide.ts',
        function: 'prepare',
        before: 'compared.counted.map((one) => one.person)',
        after: 'compared.counted.map((one) => one.approver)',
      },
    ],
  },
  {
    name: 'login-counts-with-each-person',
    edits: [
      {
        file: 'kernel/src/escalation/judge-decision.ts',
        function: 'checkQuorum',
        before: '|| isSameName(one.approver, by.principal)',
        after: '',
      },
    ],
  },
  {
    name: 'somebody-says-who-they-are',
    edits: [
      {
        file: 'server/src/people/about-self.ts',
        function: 'isAboutSelf',
        before: 'person !== null && known.includes(person)',
        after: 'person === undefined && known.includes(person)',
      },
    ],
  },
  {
    name: 'unknown-login-says-who-is-who',
    edits: [
      {
        file: 'server/src/http/routes/persons.ts',
        function: 'say',
        before: 'if (!isKnown)',
        after: "if (principal.name === '')",
      },
      {
        file: 'server/src/people/person-asking.ts',
        function: 'isNobodys',
        before: '(await identifySpeaker(engine, principal)) === null',
        after: 'false',
      },
    ],
  },
  {
    name: 'unknown-login-acts',
    edits: [
      {
        file: 'server/src/people/person-asking.ts',
        function: 'isNobodys',
        before: '(await identifySpeaker(engine, principal)) === null',
        after: 'false',
      },
    ],
  },
  {
    name: 'address-of-another-counts',
    edits: [
      {
        file: 'runtime/src/engine/authority/persons/person-behind.ts',
        function: 'isTheirs',
        before: 'whose === person',
        after: "whose !== ''",
      },
    ],
  },
  {
    name: 'address-left-to-a-token',
    edits: [
      {
        file: 'runtime/src/engine/authority/persons/person-behind.ts',
        function: 'isTheirs',
        before: '(await findUnlinkedPerson(reading, address)) !== null',
        after: 'true',
      },
      {
        file: 'server/src/people/person-asking.ts',
        function: 'meet',
        before: 'if (known !== null && named === null)',
        after: "if (known === '')",
      },
    ],
  },
  {
    name: 'owner-told-by-name',
    edits: [
      {
        file: 'kernel/src/escalation/judge-decision.ts',
        function: 'isSelfApproval',
        before: 'one === by.person',
        after: "by.principal === 'jane.doe@example.com'",
      },
    ],
  },
  {
    name: 'deployer-answers-for-nothing',
    edits: [
      {
        file: 'kernel/src/person/person.ts',
        function: 'listAnsweringPersons',
        before: 'deployer === undefined ?',
        after: "deployer !== '' ?",
      },
    ],
  },
  {
    name: 'any-name-is-a-person',
    findings: ['8f'],
    edits: [
      {
        file: 'kernel/src/person/person-name.ts',
        function: 'findPersonNameProblem',
        before: 'const folded = foldAscii(name.trim())',
        after: "const folded = 'anybody'",
      },
    ],
  },
  {
    name: 'unlinked-is-met-again',
    edits: [
      {
        file: 'runtime/src/engine/authority/persons/find-person.ts',
        function: 'findUnlinkedPerson',
        before: 'row?.body.person_id ?? null',
        after: 'row === null ? row : null',
      },
    ],
  },
  {
    name: 'judged-for-anybody',
    edits: [
      {
        file: 'runtime/src/engine/approve/modification.ts',
        function: 'findJudgement',
        before: ' && isSamePerson(persons, one.judged_for, person)',
        after: '',
      },
    ],
  },
  {
    name: 'missing-key-is-a-bug',
    edits: [
      {
        file: 'runtime/src/engine/rows/sign.ts',
        function: 'signTyped',
        before: 'throw new KeyMissing(purpose)',
        after: 'throw new Error(purpose)',
      },
    ],
  },
  {
    name: 'review-ends-with-the-dirt',
    edits: [
      {
        file: 'runtime/src/engine/rows/reviewed-tags.ts',
        function: 'computeReviewedTags',
        before: 'if (isWaiting) return tags',
        after: 'if (isWaiting && step !== undefined) return tags',
      },
    ],
  },
  {
    name: 'no-end-to-what-is-said-inside',
    edits: [
      {
        file: 'kernel/src/canonical/check-json.ts',
        function: 'checkMessage',
        before: 'length <= bytes',
        after: 'length >= 0',
      },
    ],
  },
  {
    name: 'a-name-in-two-forms-is-two-persons',
    edits: [
      {
        file: 'runtime/src/engine/authority/persons/plain-identity.ts',
        function: 'normalisePersonName',
        before: "name.trim().normalize('NFKC').toLowerCase().normalize('NFKC')",
        after: 'name',
      },
    ],
  },
  {
    name: 'names-nobody-can-tell-apart',
    edits: [
      {
        file: 'kernel/src/person/person-name.ts',
        function: 'findPersonNameProblem',
        before: '[...name].some(isUnseen)',
        after: 'false',
      },
    ],
  },
  {
    name: 'persons-not-found-by-name',
    test: {
      file: 'server/src/cli/authority-verbs.test.ts',
      title:
        'a name finds its person however it is typed, and an id that was merged finds whom it counts as',
    },
    edits: [
      {
        file: 'runtime/src/engine/authority/persons/people.ts',
        function: 'search',
        before: "(await findPerson(context, authority, { kind: 'name', name: text }))",
        after: 'null',
      },
    ],
  },
  {
    name: 'merged-persons-found-as-they-were',
    test: {
      file: 'server/src/http/routes/persons.test.ts',
      title: 'one person is found by id or name, as they count now, by whoever may list them',
    },
    edits: [
      {
        file: 'runtime/src/engine/authority/persons/people.ts',
        function: 'search',
        before: 'findRegisteredPerson(persons, text)',
        after: '(persons.ids.has(text) ? text : null)',
      },
    ],
  },
  {
    name: 'session-of-a-stranger-not-listed',
    test: {
      file: 'server/src/http/routes/access.test.ts',
      title:
        'somebody who came through the provider is listed, known to the registry or not, and ended',
    },
    edits: [
      {
        file: 'server/src/http/routes/access.ts',
        function: 'createOpenSessionRoutes',
        before: '...signedIn, ...people',
        after: '...signedIn.slice(signedIn.length), ...people',
      },
    ],
  },
]

/** Those which a storm shows of people with two logins, and with names that operators take away. */
export const PERSONS_STORM: readonly string[] = [
  'approvers-told-apart-by-name',
  'unlinked-is-met-again',
]

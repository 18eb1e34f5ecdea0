/** Mistakes about for whom an operator vouches, where people have keys for approving. */
import type { Patch } from './patch.ts'

export const APPROVER_KEY_PATCHES: readonly Patch[] = [
  {
    name: 'vouched-for-without-a-key',
    edits: [
      {
        file: 'runtime/src/engine/approve/approver.ts',
        function: 'isRegistered',
        before: '!hasKeys ||',
        after: "person !== '' ||",
      },
    ],
  },
  {
    name: 'ended-keys-still-hold',
    test: {
      file: 'verifier/src/approvals/vouched-person.test.ts',
      title: 'AUTHORITY_ORDER: an operator vouches for somebody whose key for approving has ended',
    },
    edits: [
      {
        file: 'verifier/src/authority/key-holders.ts',
        function: 'findHolders',
        before: '.filter(isKeyInUse)',
        after: '',
      },
    ],
  },
  {
    name: 'anybody-vouched-for-once-all-keys-ended',
    test: {
      file: 'verifier/src/approvals/vouched-person.test.ts',
      title:
        'AUTHORITY_ORDER: an operator vouches for somebody who never had a key for approving, where others had one',
    },
    edits: [
      {
        file: 'verifier/src/authority/key-holders.ts',
        function: 'findHolders',
        before: 'approvers.length > 0',
        after: 'held.length > 0',
      },
    ],
  },
]

/** Those which a storm shows. */
export const APPROVER_KEYS_IN_STORM: readonly string[] = ['vouched-for-without-a-key']

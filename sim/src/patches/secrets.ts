/** Mistakes about secrets: they stand where others read them, or open more than was meant. */
import type { Patch } from './patch.ts'

export const SECRETS_PATCHES: readonly Patch[] = [
  {
    name: 'first-token-is-logged',
    findings: ['35a'],
    edits: [
      {
        file: 'server/src/cli/first-token.ts',
        function: 'deliverToken',
        before: 'if (stdout.isTTY === true && stderr.isTTY === true) return',
        after: 'if (stdout.isTTY !== false) return',
      },
    ],
  },
  {
    name: 'token-without-a-role-is-for-everything',
    findings: ['35b'],
    edits: [
      {
        file: 'server/src/people/server-people.ts',
        function: 'replaceToken',
        before: 'const held = roles ?? before?.roles',
        after: 'const held = roles ?? before?.roles ?? PERSON_ROLES',
      },
    ],
  },
  {
    name: 'store-by-the-command-line-alone',
    findings: ['35c'],
    edits: [
      {
        file: 'server/src/cli/store-option.ts',
        function: 'getStoreAddress',
        before: 'if (file !== undefined) return readAddress(file)',
        after: 'if (given !== file) return DEFAULT_STORE',
      },
    ],
  },
  {
    name: 'sealed-keys-beside-open-ones',
    findings: ['35d'],
    edits: [
      {
        file: 'runtime/src/adapters/system/key-folder.ts',
        function: 'openKeyFolder',
        before: 'if (listPlainFiles(path).length > 0) throw createUnsealedKeysError(path)',
        after: '',
      },
    ],
  },
  {
    name: 'keys-made-where-an-agent-holds-them',
    findings: ['35d'],
    edits: [
      {
        file: 'runtime/src/open-keys.ts',
        function: 'openKeys',
        before: 'options.signer ?? (await openKeyAgent(options, tenant))',
        after: 'options.signer ?? null',
      },
    ],
  },
  {
    name: 'keys-made-beside-a-ledger',
    edits: [
      {
        file: 'runtime/src/open-keys.ts',
        function: 'openKeys',
        before: "isNew ? 'make' : 'refuse'",
        after: "isNew || !isNew ? 'make' : 'refuse'",
      },
    ],
  },
  {
    name: 'ended-keys-sign',
    edits: [
      {
        file: 'runtime/src/engine/rows/sign.ts',
        function: 'isKeyTrusted',
        before: 'authority.seq < 0 || (record !== undefined && isKeyInUse(record))',
        after:
          'authority.seq < 0 || record === undefined || isKeyInUse({ ...record, retired_seq: undefined } as never) || true',
      },
    ],
  },
  {
    name: 'operator-key-ends-itself',
    edits: [
      {
        file: 'runtime/src/engine/authority/keys.ts',
        function: 'endKey',
        before: 'if (keyId === own) return err(buildOwnEndFailure(keyId))',
        after: 'if (keyId === own && key === undefined) return err(buildOwnEndFailure(keyId))',
      },
    ],
  },
  {
    name: 'signer-away-is-a-verdict',
    edits: [
      {
        file: 'runtime/src/engine/engine.ts',
        function: 'propose',
        before: 'passing !== null && isReasonCode(passing.code)',
        after: "passing !== null && (isReasonCode(passing.code) || passing.code !== '')",
      },
    ],
  },
]

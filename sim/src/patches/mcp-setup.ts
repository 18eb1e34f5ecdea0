/** Mistakes of setting up the gateway: what is proposed, what is replaced, and what is learnt. */
import type { Edit, Patch } from './patch.ts'

const CLI = 'server/src/cli'
const SETUP = 'gateway/src/setup'
const PROPOSED = `${SETUP}/propose-tool.test.ts`
const TEMPLATES = `${SETUP}/templates/templates.test.ts`
const INIT = `${CLI}/mcp-init.test.ts`

function plant(name: string, file: string, title: string, edit: Edit): Patch {
  return { name, test: { file, title }, edits: [edit] }
}

export const MCP_SETUP_PATCHES: readonly Patch[] = [
  plant('mcp-hint-believed', PROPOSED, 'a hint makes nothing milder than its name says', {
    ...{ file: `${SETUP}/propose-tool.ts`, function: 'judge' },
    before: "{ name: 'write', ground: 'only its server says that it reads' }",
    after: "{ name: 'read', ground: 'only its server says that it reads' }",
  }),
  plant(
    'mcp-value-of-a-flag-shown',
    `${SETUP}/hidden-arguments.test.ts`,
    'arguments are shown, and those that may be credentials are not',
    {
      ...{ file: `${SETUP}/hidden-arguments.ts`, function: 'hideSecretArguments' },
      before: 'isValueOfFlag && ',
      after: "flag === '' && ",
    },
  ),
  plant(
    'mcp-template-by-name-alone',
    PROPOSED,
    'a tool with the name of another and other arguments is not what the template knows',
    {
      ...{ file: `${SETUP}/templates/find-template.ts`, function: 'findTemplateTool' },
      before: 'pointers.every((at) => isRequired(inputSchema, at)) ? tool : undefined',
      after: 'tool',
    },
  ),
  plant(
    'mcp-parent-behind-a-line-end',
    TEMPLATES,
    'a path that leaves its folder is refused, however it is written',
    {
      ...{ file: `${SETUP}/build-contract.ts`, function: 'PARENT' },
      before: 're:(?s)',
      after: 're:',
    },
  ),
  plant(
    'mcp-folder-with-its-neighbours',
    TEMPLATES,
    'a path that leaves its folder is refused, however it is written',
    {
      ...{ file: `${SETUP}/build-contract.ts`, function: 'toFolderPatterns' },
      before: '/*`',
      after: '*`',
    },
  ),
  plant('mcp-host-without-its-end', TEMPLATES, 'an address at another host is refused', {
    ...{ file: `${SETUP}/build-contract.ts`, function: 'PATTERNS' },
    before: '/*`',
    after: '*`',
  }),
  plant('mcp-backup-replaced', INIT, 'a copy of other settings is not replaced', {
    ...{ file: `${CLI}/mcp-setup/client-backup.ts`, function: 'assertBackupFree' },
    before: 'if (backup === null || backup === text) return',
    after: 'if (backup !== undefined) return',
  }),
  plant(
    'mcp-changed-settings-lost',
    INIT,
    'what somebody changed in the settings since is kept when they are put back',
    {
      ...{ file: `${CLI}/mcp-setup/client-backup.ts`, function: 'putBackClientFile' },
      before: 'now === null || isAsWritten(file, before, now) ? null : toKeptName(file)',
      after:
        'now === null || isAsWritten(file, before, now) || now !== before ? null : toKeptName(file)',
    },
  ),
  plant(
    'mcp-server-left-silently',
    INIT,
    'no server is left past the gateway unless somebody says so',
    {
      ...{ file: `${CLI}/mcp-setup/apply-setup.ts`, function: 'assertWhole' },
      before: 'left.filter(({ agreed }) => !agreed)',
      after: "left.filter(({ agreed, was }) => !agreed && was === '')",
    },
  ),
  plant(
    'mcp-keys-within-reach',
    INIT,
    'no server of files reaches the keys and the rules of the gateway',
    {
      ...{ file: `${CLI}/mcp-setup/own-folder.ts`, function: 'isWithin' },
      before: 'path === folder || path.startsWith(',
      after: 'path === folder && path.startsWith(',
    },
  ),
  plant('mcp-written-files-replaced', INIT, 'what a person has written is not replaced', {
    ...{ file: `${CLI}/mcp-setup/apply-setup.ts`, function: 'checkExisting' },
    before: 'if (inTheWay === undefined) return false',
    after: "if (inTheWay === undefined || inTheWay.path !== '') return false",
  }),
  plant(
    'mcp-ways-into-other-repositories',
    TEMPLATES,
    'what is read in a repository is not a way into another one',
    {
      ...{ file: `${SETUP}/propose-tool.ts`, function: 'proposeTool' },
      before: 'const ways = known?.ways ?? []',
      after: 'const ways: readonly string[] = []',
    },
  ),
  plant(
    'mcp-ways-out-as-numbers',
    TEMPLATES,
    'what is read in a repository is not a way into another one',
    {
      ...{ file: `${SETUP}/build-contract.ts`, function: 'WAYS_OUT' },
      before: "'re:(?s).*([.]|%2[eE])([.]|%2[eE]).*'",
      after: "'re:(?s).*[.][.].*'",
    },
  ),
  plant(
    'mcp-options-taken-for-names',
    TEMPLATES,
    'what a program would take for an option is not what a call names',
    {
      ...{ file: `${SETUP}/propose-tool.ts`, function: 'proposeTool' },
      before: 'const words = known?.words ?? []',
      after: 'const words: readonly string[] = []',
    },
  ),
  plant(
    'mcp-patterns-learnt',
    `${SETUP}/learn/find-needs.test.ts`,
    'a value that a contract would read as a pattern is not learnt',
    {
      ...{ file: `${SETUP}/learn/find-needs.ts`, function: 'isLearnable' },
      before: 'isLiteralPattern(value) && ',
      after: '',
    },
  ),
  plant(
    'mcp-starred-folders-bound-nothing',
    `${SETUP}/find-bounds.test.ts`,
    'a folder that is called like a pattern does not admit its neighbours',
    {
      ...{ file: `${SETUP}/find-bounds.ts`, function: 'listNames' },
      before: '.filter(isLiteralPattern)',
      after: '',
    },
  ),
  plant(
    'mcp-forbidden-kind-learnt',
    `${CLI}/mcp-learn.test.ts`,
    'what was refused or always approved is proposed, and taken only by name',
    {
      ...{ file: `${SETUP}/learn/find-needs.ts`, function: 'findGrants' },
      before: "code === 'RBAC_DENIED'",
      after: "(code === 'RBAC_DENIED' || code === 'KIND_FORBIDDEN')",
    },
  ),
]

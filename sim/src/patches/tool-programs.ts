/** Mistakes of what carries out tools that are data: what they start, and where secrets come from. */
import type { Patch } from './patch.ts'

const COMMAND = 'runtime/src/tools/command'
const PROCESS = 'runtime/src/adapters/process/run-process.ts'
const FILE_SECRET = 'runtime/src/adapters/secrets/file-secret.ts'

export const TOOL_PROGRAMS_PATCHES: readonly Patch[] = [
  {
    name: 'secret-error-tells-what-was-thrown',
    edits: [
      {
        file: 'runtime/src/tools/secret-grants.ts',
        function: 'readGranted',
        before: "error instanceof SecretUnavailable ? error.message : 'it could not be read'",
        after: 'error instanceof Error ? error.message : String(error)',
      },
    ],
  },
  {
    name: 'secret-file-of-any-mode',
    edits: [
      {
        file: FILE_SECRET,
        function: 'checkOwner',
        before: 'found.mode & 0o7777',
        after: 'found.mode & 0o600',
      },
    ],
  },
  {
    name: 'secret-file-behind-a-link',
    edits: [
      {
        file: FILE_SECRET,
        function: 'openPrivately',
        before: '| constants.O_NOFOLLOW ',
        after: '',
      },
    ],
  },
  {
    name: 'secret-too-short-to-remove',
    edits: [
      {
        file: 'runtime/src/adapters/secrets/secret-value.ts',
        function: 'checkSecret',
        before: 'value.length < LIMITS.secretShortest',
        after: 'value.length < 1',
      },
    ],
  },
  {
    name: 'command-started-by-a-shell',
    edits: [
      { file: PROCESS, function: 'startProcess', before: 'shell: false', after: 'shell: true' },
    ],
  },
  {
    name: 'command-kills-its-child-alone',
    edits: [
      {
        file: PROCESS,
        function: '#sendSignal',
        before: 'process.kill(-this.#group, name)',
        after: 'process.kill(this.#group, name)',
      },
    ],
  },
  {
    name: 'command-leaves-what-it-started',
    edits: [
      {
        file: PROCESS,
        function: '#watch',
        before: "this.#sendSignal('SIGKILL')",
        after: '',
      },
    ],
  },
  {
    name: 'command-inherits-descriptors',
    edits: [
      {
        file: PROCESS,
        function: 'startProcess',
        before: ', ...coverInherited(nothing)',
        after: '',
      },
    ],
  },
  {
    name: 'command-inherits-variables',
    edits: [
      {
        file: PROCESS,
        function: 'startProcess',
        before: 'env: { ...env }',
        after: 'env: { ...process.env, ...env }',
      },
    ],
  },
  {
    name: 'command-output-without-a-bound',
    edits: [
      {
        file: PROCESS,
        function: '#collect',
        before: 'if (length > most)',
        after: 'if (length > most * 1e9)',
      },
    ],
  },
  {
    name: 'command-not-listed',
    edits: [
      {
        file: `${COMMAND}/executable.ts`,
        function: 'findExecutableProblem',
        before: "if (entry === undefined) return 'is not allowed'",
        after: 'if (entry === undefined) return null',
      },
    ],
  },
  {
    name: 'command-pin-not-looked-at',
    edits: [
      {
        file: `${COMMAND}/executable.ts`,
        function: 'findPinProblem',
        before: "hash.digest('hex') === sha256",
        after: "hash.digest('hex') !== ''",
      },
    ],
  },
  {
    name: 'command-behind-a-link',
    edits: [
      {
        file: `${COMMAND}/executable.ts`,
        function: 'findExecutableProblem',
        before: '(await findFileProblem(path)) ??',
        after: '',
      },
    ],
  },
  {
    name: 'command-parameter-as-an-option',
    edits: [
      {
        file: `${COMMAND}/build-arguments.ts`,
        function: 'buildArguments',
        before: "text.startsWith('-')",
        after: "text.startsWith('---')",
      },
    ],
  },
  {
    name: 'command-output-with-its-secret',
    edits: [
      {
        file: `${COMMAND}/command-hands.ts`,
        function: 'readEnd',
        before: 'redaction.redactJson(readOutput(ended.output))',
        after: 'readOutput(ended.output)',
      },
    ],
  },
]

/** Mistakes about artifacts in files: what is written together, what is overwritten, and what is taken back. */
import type { Patch } from './patch.ts'

const SESSION = 'artifacts/src/files/files-session.test.ts'

export const ARTIFACT_FILES_PATCHES: readonly Patch[] = [
  {
    name: 'files-renamed-before-they-are-flushed',
    test: {
      file: SESSION,
      title:
        'nothing is renamed before everything is on the disk: new bytes, their names, the journal',
    },
    edits: [
      {
        file: 'artifacts/src/files/disk.ts',
        function: 'createWholeFile',
        before: '    disk.flush(file)\n',
        after: '',
      },
    ],
  },
  {
    name: 'changed-file-overwritten',
    test: {
      file: SESSION,
      title:
        'a file that changed on the disk since it was read refuses all of them, before anything is written',
    },
    edits: [
      {
        file: 'artifacts/src/files/file-change.ts',
        function: 'checkChange',
        before: 'if (current.value !== before) return',
        after: 'if (current.value === null && before !== null) return',
      },
    ],
  },
  {
    name: 'failed-write-leaves-new-files',
    test: {
      file: SESSION,
      title: 'a disk that refuses any one step leaves all old, and says so, or all new',
    },
    edits: [
      {
        file: 'artifacts/src/files/carry-out.ts',
        function: 'undoWrite',
        before: 'else if (before === null) removeIfThere(disk.unlink, path)',
        after: 'else if (before === null) continue',
      },
    ],
  },
  {
    name: 'artifact-read-through-a-link',
    test: {
      file: 'artifacts/src/files/ingress.test.ts',
      title: 'no symbolic link is read through, be it the file or a folder above it',
    },
    edits: [
      {
        file: 'artifacts/src/files/files-root.ts',
        function: 'lookAt',
        before: 'lstatSync(path',
        after: 'statSync(path',
      },
    ],
  },
  {
    name: 'writer-taken-for-one-that-ended',
    test: {
      file: 'artifacts/src/files/lock.test.ts',
      title: 'a process that has the number of one that ended is not taken for it',
    },
    edits: [
      {
        file: 'artifacts/src/files/lock.ts',
        function: 'isAlive',
        before: "return now === '0' || started === '0' || now === started",
        after: "return now !== '' || started === now",
      },
    ],
  },
  {
    name: 'blob-handed-out-unhashed',
    test: {
      file: 'artifacts/src/store/blobs.test.ts',
      title:
        'a blob that was damaged on the disk is said to be corrupt, and is whole again once it is put again',
    },
    edits: [
      {
        file: 'artifacts/src/store/file-blobs.ts',
        function: 'readBlob',
        before: 'if (computeContentHash(bytes) === hash) return',
        after: 'if (bytes.length >= 0) return',
      },
    ],
  },
  {
    name: 'undone-under-what-was-put-into-it',
    test: {
      file: 'artifacts/src/text/history.test.ts',
      title: 'a change that something was put into the middle of is not undone before that is',
    },
    edits: [
      {
        file: 'artifacts/src/text/history.ts',
        function: 'listStandingOn',
        before: 'from < index && index < to',
        after: 'from < index && to < from',
      },
    ],
  },
  {
    name: 'undone-without-what-was-undone-before',
    test: {
      file: 'artifacts/src/store/history.test.ts',
      title:
        'two removals side by side, undone in the order in which they were made, come back in their places',
    },
    edits: [
      {
        file: 'artifacts/src/store/plan-undo.ts',
        function: 'listReplayed',
        before: 'Math.min(start, event.undoes)',
        after: 'Math.min(start, seq)',
      },
    ],
  },
  {
    name: 'new-bytes-for-everybody',
    test: {
      file: 'artifacts/src/files/hostile-record.findings.test.ts',
      title: 'the new bytes of a file that others may not read are never in one that they may',
    },
    edits: [
      {
        file: 'artifacts/src/files/disk.ts',
        function: 'createWholeFile',
        before: 'mode === null ? 0o666 : 0o600',
        after: '0o666',
      },
    ],
  },
  {
    name: 'log-believed-by-its-length',
    test: {
      file: 'artifacts/src/store/event-log.test.ts',
      title: 'E3 a line that was damaged behind its reading stops whoever reads',
    },
    edits: [
      {
        file: 'artifacts/src/store/checked-lines.ts',
        function: 'findChecked',
        before: 'crc32(bytes.subarray(0, length)) === checksum',
        after: 'isCount(checksum)',
      },
    ],
  },
  {
    name: 'journal-leads-out-of-the-root',
    test: {
      file: 'artifacts/src/files/hostile-record.findings.test.ts',
      title: 'a journal that somebody wrote takes away no folder outside of the root',
    },
    edits: [
      {
        file: 'artifacts/src/files/files-session.ts',
        function: 'recoverWrite',
        before: "found.error.code === 'FILE_LINK'",
        after: "found.error.code === 'FILE_MISSING'",
      },
    ],
  },
  {
    name: 'record-waits-for-a-pipe',
    test: {
      file: 'artifacts/src/files/hostile-record.findings.test.ts',
      title: 'a pipe in the place of the journal, or of the history, is not waited for',
    },
    edits: [
      {
        file: 'artifacts/src/store/read-if-there.ts',
        function: 'readIfThere',
        before: 'constants.O_RDONLY | constants.O_NONBLOCK',
        after: 'constants.O_RDONLY',
      },
    ],
  },
  {
    name: 'edit-touches-another-line',
    test: {
      file: 'bench/src/artifacts/artifacts-bench.test.ts',
      title: 'edits of a small corpus tile, touch no other line and can be undone',
    },
    edits: [
      {
        file: 'artifacts/src/delta/finish-plan.ts',
        function: 'finishPlan',
        before: 'sortSplices(splices)',
        after:
          "sortSplices([...splices, { start: parsed.text.length, end: parsed.text.length, text: '\\n' }])",
      },
    ],
  },
]

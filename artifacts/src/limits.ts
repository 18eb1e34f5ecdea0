/** Every limit of artifacts. The kernel's own stand in `rubicon-kernel`. */
export const ARTIFACT_LIMITS = {
  /** Of one artifact that is parsed. What is larger is kept as binary, by its hash. */
  bytes: 4_194_304,
  /** Of one document of Markdown: its parser takes tens of microseconds for a line. */
  markdownLines: 20_000,
  /** And of it once for each list that is open on a line: the parser goes through all of them. */
  markdownNested: 40_000,
  /** Of one text of YAML, for the same reason. */
  yamlTokens: 400_000,
  /** Of one fragment. */
  fragmentBytes: 262_144,
  /** How deep a tree may go: a parser that recurses must not be led to the end of its stack. */
  depth: 200,
  /** Places of one name that one rename changes in one artifact. */
  renameSites: 4_096,
  /** Of a type in a documentation comment; in a longer one no names are looked for. */
  docTypeLength: 1_024,
  /** Deltas of one proposal, and characters of all of them together. */
  deltas: 256,
  listBytes: 1_048_576,
  /** Members that lead from a module to a symbol, `a.b.c`. */
  memberChain: 8,
  /** Entries of several authors that are composed at once. */
  batchEntries: 1_024,
  /** Segments of one path, and characters of a name in it. */
  pathSegments: 32,
  nameLength: 256,
  /** Of one file that is read at all, be it as binary. */
  fileBytes: 67_108_864,
  /** Files of one folder with all below it, how deep they lie, and characters of the id of one. */
  files: 100_000,
  folderDepth: 64,
  idLength: 1_024,
  /** Files of one write. */
  writtenFiles: 1_024,
  /** Of one merge by symbols; then it is git's own. */
  mergeMs: 20_000,
  /** Of one merge of lines by git, and what it may print. */
  gitMs: 20_000,
  gitBytes: 268_435_456,
  /** Of one request to a desk and of each text that is parsed for it, of all of that together, and of the start of its process. */
  deskMs: 10_000,
  deskParsingMs: 60_000,
  deskStartMs: 60_000,
  /** Requests that wait at a desk, characters of one, and what its process may hold. */
  deskWaiting: 64,
  deskBytes: 134_217_728,
  deskMegabytes: 1_024,
  /** Characters of the texts that it keeps as it has read them. */
  deskKept: 8_388_608,
} as const

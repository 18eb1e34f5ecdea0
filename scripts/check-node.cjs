/**
 * Before every script of the repository (`node -r`): where this Node cannot run the sources, one line
 * says what to do. Plain JavaScript that every Node reads, since an old one stops at the first type.
 */
const { arch, platform, version, versions } = process
const WANTED = 24

if (Number.parseInt(versions.node, 10) < WANTED) {
  process.stderr.write(
    `✖ this needs Node ${WANTED} or newer; this is ${version} on ${platform} ${arch}, and npm brought none: ` +
      `install Node ${WANTED}, or run \`npm ci\` without --omit=optional\n`,
  )
  process.exit(2)
}

// node:sqlite and the types that Node strips are stable enough for us; the warning would stand in every output.
const { emitWarning } = process
process.emitWarning = (warning, ...rest) => {
  const type = typeof rest[0] === 'object' ? rest[0]?.type : rest[0]
  if (type !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest)
}

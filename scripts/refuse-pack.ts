/** `npm pack` in a workspace would pack sources, and Node strips no types of what is installed. */
process.stderr.write(
  '✖ these are sources, which do not run once they are installed\n' +
    '  fix  `npm run packages` at the root builds and packs; publish what `scripts/pack.ts` stages\n',
)
process.exitCode = 1

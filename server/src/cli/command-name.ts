/**
 * How the person who reads a hint can type the command. npm puts a command that a project depends on nowhere on the path of a shell, so
 * that whoever typed `npx rubicon`, or a script of a project, finds none called `rubicon`. Hints are written with `rubicon`, and get
 * the name that works where they are printed.
 */
const BY_NPM: ReadonlySet<string> = new Set(['exec', 'run', 'run-script', 'start'])

export function findCommandName(env: NodeJS.ProcessEnv): string {
  if (!BY_NPM.has(env.npm_command ?? '')) return 'rubicon'
  // Of a project that does not have the package npm keeps it in a folder of its own; plain `npx rubicon` would fetch another one.
  const isFetched = /[/\\]_npx[/\\]/.test(env.PATH ?? '')
  return isFetched ? 'npx -p rubicon-server rubicon' : 'npx rubicon'
}

/** In a hint: every command that it quotes. */
export function nameCommands(text: string, env: NodeJS.ProcessEnv): string {
  const name = findCommandName(env)
  return name === 'rubicon' ? text : text.replaceAll('`rubicon ', `\`${name} `)
}

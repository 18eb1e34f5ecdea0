/** What a stranger gets: the tarballs of the published workspaces, in an environment without ours. */
import { mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { type Ran, ROOT, run } from './shell.ts'
import { preparePackage } from './stage-package.ts'
import { PUBLISHED } from './walls.ts'

/** No path into the repository but its Node, and no setting of the npm that started us. */
export function buildStrangersEnvironment(folder: string): NodeJS.ProcessEnv {
  const paths = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.startsWith(ROOT))
  const cleared: NodeJS.ProcessEnv = {}
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('npm_')) cleared[name] = undefined
  }
  return {
    ...cleared,
    PATH: [dirname(process.execPath), ...paths].join(delimiter),
    XDG_STATE_HOME: join(folder, 'state'),
    NODE_NO_WARNINGS: undefined,
  }
}

/** What a program printed, or an error that says what it printed instead. */
export function demand(what: string, { ok, status, stdout, stderr }: Ran): string {
  if (ok) return stdout
  throw new Error(`${what} ended with ${status}\n${stdout}${stderr}`)
}

/** Builds and packs; the tarballs lie below `folder`. It takes a minute or two: `tell` hears what is done. */
export function buildTarballs(
  folder: string,
  env: NodeJS.ProcessEnv,
  tell: (step: string) => void = () => {},
): readonly string[] {
  tell('compiling')
  demand('tsc -b', run('tsc', ['-b', 'server']))
  tell('building the console and its docs')
  demand('console-build', run(process.execPath, ['scripts/console-build.ts']))
  const into = join(folder, 'tarballs')
  mkdirSync(into)
  return PUBLISHED.map((workspace) => {
    tell(`packing ${workspace}`)
    const staged = preparePackage(workspace, join(folder, 'staged'))
    const args = ['pack', '--json', '--pack-destination', into]
    const [packed]: { readonly filename: string }[] = JSON.parse(
      demand(`npm pack of ${workspace}`, run('npm', args, { env, cwd: staged })),
    )
    if (packed === undefined) throw new Error(`npm packed nothing for ${workspace}`)
    return join(into, packed.filename)
  })
}

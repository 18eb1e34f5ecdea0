/** Small projects from a seed, in which one symbol is known by its own name, by others, and through namespaces; written with any name. */

/** How a module lets others have the symbol: by its own name, by another one, or as a member of something. */
type Exposure = {
  readonly module: string
  readonly how: 'own' | 'alias' | 'namespace'
  readonly as: string
}

type Module = {
  readonly name: string
  readonly lines: readonly ((name: string) => string)[]
  readonly exposures: readonly Exposure[]
}

export type GeneratedProject = {
  /** What its texts are if the symbol goes by this name, and was called `alpha` when they were written. */
  readonly write: (name: string) => Readonly<Record<string, string>>
  readonly path: (name: string) => string
  readonly artifact: string
}

type Pick = (count: number) => number

export function generateProject(seed: number): GeneratedProject {
  const pick = createPick(seed)
  const kinds = ['function', 'class', 'variable', 'type'] as const
  const kind = kinds[pick(kinds.length)] ?? 'function'
  const modules: Module[] = [declare(kind, pick)]
  for (let i = 1; i < 3 + pick(6); i += 1) {
    const exposures = modules.flatMap((module) => module.exposures)
    const exposure = exposures[pick(exposures.length)]
    if (exposure !== undefined) modules.push(relate(`m${i}`, exposure, kind, pick))
  }
  const write = (name: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      modules.map((module) => [
        `src/${module.name}.ts`,
        `${module.lines.map((line) => line(name)).join('\n')}\n`,
      ]),
    )
  return { write, path: (name) => `${kind}:${name}`, artifact: 'src/m0.ts' }
}

function declare(kind: 'function' | 'class' | 'variable' | 'type', pick: Pick): Module {
  const isListed = pick(3) === 0
  const word = isListed ? '' : 'export '
  const declaration = {
    function: (name: string) => `${word}function ${name}(): void {}`,
    class: (name: string) => `${word}class ${name} { make(): ${name} { return new ${name}() } }`,
    variable: (name: string) => `${word}const ${name} = () => 1`,
    type: (name: string) => `${word}type ${name} = { readonly alpha: ${name} | null }`,
  }[kind]
  const lines = [declaration, () => '// alpha is a word here', () => `export const text = 'alpha'`]
  const exposures: Exposure[] = [{ module: 'm0', how: 'own', as: '' }]
  if (isListed) lines.push((name) => `export { ${name} }`)
  if (pick(2) === 0) {
    lines.push((name) => `export { ${name} as other0 }`)
    exposures.push({ module: 'm0', how: 'alias', as: 'other0' })
  }
  if (kind !== 'type') lines.push((name) => `export const held0 = { ${short(name)} }`)
  return { name: 'm0', lines, exposures }
}

function short(name: string): string {
  return name === 'alpha' ? name : `alpha: ${name}`
}

function relate(name: string, exposure: Exposure, kind: string, pick: Pick): Module {
  const ways =
    exposure.how === 'own' ? OWN_WAYS : exposure.how === 'alias' ? ALIAS_WAYS : SPACE_WAYS
  const way = ways[pick(ways.length)] ?? OWN_WAYS[0]
  const isType = kind === 'type'
  const { lines, exposures } = way?.({ name, exposure, isType, isMore: pick(2) === 0 }) ?? {
    lines: [],
    exposures: [],
  }
  const noise = [
    (): string => `export function own_${name}(alpha: number): number { return alpha }`,
  ]
  return { name, lines: [...lines, ...noise], exposures }
}

type Place = {
  readonly name: string
  readonly exposure: Exposure
  readonly isType: boolean
  readonly isMore: boolean
}

type Way = (place: Place) => Written
type Written = {
  readonly lines: readonly ((name: string) => string)[]
  readonly exposures: readonly Exposure[]
}

/** A use of what an expression names. */
function use(place: Place, count: number, name: string): string {
  const { isType, name: module } = place
  return isType
    ? `export type Use${count}_${module} = ${name}`
    : `export const use${count}_${module} = [${name}, typeof ${name}]`
}

const OWN_WAYS: readonly Way[] = [
  (place) => ({
    lines: [
      (name) => `import { ${name} } from './${place.exposure.module}.ts'`,
      (name) => use(place, 1, name),
      (name) => (place.isType ? '' : `export const held_${place.name} = { ${short(name)}, b: 1 }`),
      (name) => (place.isMore ? `export { ${name} }` : `export { ${name} as other_${place.name} }`),
    ],
    exposures: [
      place.isMore
        ? { module: place.name, how: 'own', as: '' }
        : { module: place.name, how: 'alias', as: `other_${place.name}` },
    ],
  }),
  (place) => ({
    lines: [
      (name) => `import { ${name} as local } from './${place.exposure.module}'`,
      () => use(place, 1, 'local'),
      () => 'export { local }',
    ],
    exposures: [{ module: place.name, how: 'alias', as: 'local' }],
  }),
  (place) => ({
    lines: [
      () => `import * as space from './${place.exposure.module}.js'`,
      (name) => use(place, 1, `space.${name}`),
      (name) => use(place, 2, `space /* of it */ . ${name}`),
      (name) => `export type Whole_${place.name} = ${place.isType ? '' : 'typeof '}space.${name}`,
      () => (place.isMore ? 'export { space }' : ''),
    ],
    exposures: place.isMore ? [{ module: place.name, how: 'namespace', as: 'space' }] : [],
  }),
  (place) => ({
    lines: [
      (name) =>
        place.isMore
          ? `export * from './${place.exposure.module}.ts'`
          : `export { ${name} } from './${place.exposure.module}.ts'`,
    ],
    exposures: [{ module: place.name, how: 'own', as: '' }],
  }),
  (place) => ({
    lines: [() => `export * as within from './${place.exposure.module}.ts'`],
    exposures: [{ module: place.name, how: 'namespace', as: 'within' }],
  }),
  (place) => ({
    lines: [
      (name) => `export { ${name} as other_${place.name} } from './${place.exposure.module}.ts'`,
      (name) =>
        `export type Far = ${place.isType ? '' : 'typeof '}import('./${place.exposure.module}.ts').${name}`,
      (name) => {
        const taken = name === 'alpha' ? name : `${name}: alpha`
        if (place.isType) return ''
        return `const { ${taken} } = await import('./${place.exposure.module}.ts')\nexport const far = alpha`
      },
    ],
    exposures: [{ module: place.name, how: 'alias', as: `other_${place.name}` }],
  }),
]

const ALIAS_WAYS: readonly Way[] = [
  (place) => ({
    lines: [
      () => `import { ${place.exposure.as} } from './${place.exposure.module}.ts'`,
      () => use(place, 1, place.exposure.as),
    ],
    exposures: [],
  }),
  (place) => ({
    lines: [() => `export { ${place.exposure.as} } from './${place.exposure.module}.ts'`],
    exposures: [{ module: place.name, how: 'alias', as: place.exposure.as }],
  }),
]

const SPACE_WAYS: readonly Way[] = [
  (place) => ({
    lines: [
      () => `import { ${place.exposure.as} } from './${place.exposure.module}.ts'`,
      (name) => use(place, 1, `${place.exposure.as}.${name}`),
    ],
    exposures: [],
  }),
  (place) => ({
    lines: [
      () => `import * as outer from './${place.exposure.module}.ts'`,
      (name) => use(place, 1, `outer.${place.exposure.as}.${name}`),
    ],
    exposures: [],
  }),
  (place) => ({
    lines: [() => `export { ${place.exposure.as} as again } from './${place.exposure.module}.ts'`],
    exposures: [{ module: place.name, how: 'namespace', as: 'again' }],
  }),
]

/** Numbers from a seed, by a linear congruence: the same everywhere. */
function createPick(seed: number): Pick {
  let state = (seed * 2_654_435_761 + 1) % 4_294_967_296
  return (count) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * count)
  }
}

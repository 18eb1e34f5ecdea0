/** What a package exports, as a reader looks it up: each name with its sentence, its form and its members. */
export type LibraryMember = {
  readonly name: string
  /** As the source writes it, without `readonly` and comments: `open(request: FlowOpening): Promise<AgentFlow>`. */
  readonly text: string
  /** Empty: nobody has said what it is. */
  readonly says: string
  /** Where it is declared, for whoever has to say it. */
  readonly place: string
}

export type LibraryDeclaration = {
  readonly name: string
  readonly kind: 'function' | 'class' | 'type' | 'constant'
  readonly says: string
  readonly place: string
  /** The declaration in TypeScript; empty where its members say all of it. */
  readonly text: string
  readonly members: readonly LibraryMember[]
}

/** Whatever has no sentence, by its name and place. */
export function listUnsaid(declarations: readonly LibraryDeclaration[]): readonly string[] {
  const found = declarations.flatMap(({ name, says, place, members }) => [
    ...(says === '' ? [`${place}: \`${name}\``] : []),
    ...members
      .filter((member) => member.says === '')
      .map((member) => `${member.place}: \`${name}.${member.name}\``),
  ])
  return [...new Set(found)]
}

/** The edits by ts-morph: members and statements are added by its own methods, bodies and names by the nodes that are there. */
import { Node, Project, type SourceFile, ts } from 'ts-morph'
import { type AskedEdit, serveEdits } from './serve.ts'

const project = new Project({
  useInMemoryFileSystem: true,
  skipLoadingLibFiles: true,
  skipFileDependencyResolution: true,
  compilerOptions: { noLib: true, noResolve: true, types: [], target: ts.ScriptTarget.Latest },
})

/** Its language service keeps what it knows of a name: so each edit has a file of another name. */
let files = 0

await serveEdits(({ name, text }, edit) => {
  const [, ending = '.ts'] = /((?:\.d)?\.[cm]?tsx?)$/u.exec(name) ?? []
  files += 1
  const file = project.createSourceFile(`/corpus/file${files}${ending}`, text)
  try {
    apply(file, edit)
    return file.getFullText()
  } finally {
    project.removeSourceFile(file)
  }
})

function apply(file: SourceFile, edit: AskedEdit): void {
  switch (edit.op) {
    case 'add':
      add(edit.kind === 'module' ? file : findNode(file, edit.own), edit.text)
      return
    case 'replace':
      findNode(file, edit.body ?? edit.own).replaceWithText(edit.text)
      return
    case 'rename': {
      const name = file.getDescendantAtPos(edit.nameAt ?? 0)
      if (!Node.isIdentifier(name) && !Node.isPrivateIdentifier(name))
        throw new Error('no name is there')
      name.rename(edit.text)
      return
    }
    case 'remove': {
      const node = findNode(file, edit.own)
      if (!('remove' in node) || typeof node.remove !== 'function')
        throw new Error(`${node.getKindName()} cannot be removed`)
      node.remove()
    }
  }
}

function add(node: Node, text: string): void {
  if (Node.isSourceFile(node) || Node.isModuleDeclaration(node)) node.addStatements(text)
  else if (Node.isClassDeclaration(node) || Node.isClassExpression(node)) node.addMember(text)
  else if (Node.isInterfaceDeclaration(node)) node.addMember(text)
  else if (Node.isEnumDeclaration(node)) node.addMember(text)
  else {
    const object = node.getFirstDescendant(Node.isObjectLiteralExpression)
    if (object === undefined) throw new Error(`nothing is added to ${node.getKindName()}`)
    object.addProperty(text)
  }
}

/** With its separator or without it. */
function isEnd(text: string, one: number, other: number): boolean {
  return /^[;,]?$/u.test(text.slice(Math.min(one, other), Math.max(one, other)))
}

/** The outermost one that begins and ends there. */
function findNode(file: SourceFile, [start, end]: readonly [number, number]): Node {
  let node: Node | undefined = file.getDescendantAtPos(start)
  let found: Node | undefined
  for (; node !== undefined && !Node.isSourceFile(node); node = node.getParent()) {
    if (node.getStart() < start || node.getEnd() > end + 1) break
    if (node.getStart() === start && isEnd(file.getFullText(), node.getEnd(), end)) found = node
  }
  if (found === undefined) throw new Error('no node begins and ends there')
  return found
}

/** Members of classes, interfaces, enums and object literals. */
import type {
  Class,
  ClassElement,
  Expression,
  Function as FunctionNode,
  Node,
  ObjectExpression,
  PropertyKey,
  TSEnumDeclaration,
  TSInterfaceBody,
  TSSignature,
} from 'oxc-parser'
import { type Span, sliceSpan } from '../../text/span.ts'
import type { UnnamedSymbol } from '../../tree/name-symbols.ts'
import type { OwnedLines } from '../../tree/owned-lines.ts'
import type { Container, MemberOrder } from '../../tree/symbol-node.ts'
import { isPureExpression } from './purity.ts'

export type Source = { readonly text: string; readonly lines: OwnedLines }

/** What a symbol is, before the lines that it owns are known. */
export type Drawn = {
  readonly kind: string
  readonly name: string
  readonly own: Span
  readonly nameSpan: Span | null
  readonly body: Span | null
  readonly order: MemberOrder
  readonly container: Container | null
  readonly children: readonly UnnamedSymbol[]
}

const LEAF = { container: null, children: [] } as const

export function draw(
  { lines }: Source,
  drawn: Drawn,
  inside: Span,
  separators: string,
): UnnamedSymbol {
  const { own, ...rest } = drawn
  return { ...rest, own: toSpan(own), whole: lines.find(own, inside, separators) }
}

export function toSpan({ start, end }: Span): Span {
  return { start, end }
}

/** Without the brackets that it begins and ends with. */
export function toInside({ start, end }: Span): Span {
  return { start: start + 1, end: end - 1 }
}

export function drawClass(source: Source, { body }: Class): Pick<Drawn, 'container' | 'children'> {
  const inside = toInside(body)
  const children = body.body.map((element) =>
    draw(source, { ...describeElement(source, element), ...LEAF }, inside, ';'),
  )
  return { container: { inside, separator: '' }, children }
}

function describeElement(
  source: Source,
  element: ClassElement,
): Omit<Drawn, 'container' | 'children'> {
  const own = toSpan(element)
  if (element.type === 'StaticBlock') {
    return { kind: 'static_block', name: 'static', own, nameSpan: null, body: null, order: 'fixed' }
  }
  if (element.type === 'TSIndexSignature')
    return { kind: 'index', name: 'index', own, nameSpan: null, body: null, order: 'free' }
  const named = { own, ...describeKey(source, element.key, element.computed) }
  const prefix = element.static ? 'static_' : ''
  const isPlain = !element.computed && element.decorators.length === 0
  if (element.type === 'MethodDefinition' || element.type === 'TSAbstractMethodDefinition') {
    const kind = METHOD_KINDS[element.kind]
    const order = isPlain ? 'free' : 'fixed'
    return { ...named, kind: `${prefix}${kind}`, body: findFunctionBody(element.value), order }
  }
  // What a field is made of runs in the order of the text.
  const isSilent = isPlain && isPureExpression(element.value)
  const body = element.value === null ? null : findValueBody(element.value)
  return { ...named, kind: `${prefix}field`, body, order: isSilent ? 'free' : 'fixed' }
}

const METHOD_KINDS = {
  constructor: 'constructor',
  method: 'method',
  get: 'getter',
  set: 'setter',
} as const

export function findFunctionBody({ body }: Pick<FunctionNode, 'body'>): Span | null {
  return body === null ? null : toSpan(body)
}

/** Of a function that is a value, what it does: its parameters are for others to see. Any other value is a body as a whole. */
export function findValueBody(value: Expression | Node): Span {
  const isFunction = value.type === 'ArrowFunctionExpression' || value.type === 'FunctionExpression'
  return toSpan(isFunction && value.body !== null ? value.body : value)
}

/** A key that is computed is named by its text: two that look alike are told apart by their ordinals. */
function describeKey(
  { text }: Source,
  key: PropertyKey | Node,
  computed: boolean,
): Pick<Drawn, 'name' | 'nameSpan'> {
  if (computed) return { name: `[${sliceSpan(text, key)}]`, nameSpan: null }
  switch (key.type) {
    case 'Identifier':
      return { name: key.name, nameSpan: { start: key.start, end: key.start + key.name.length } }
    case 'PrivateIdentifier':
      return { name: `#${key.name}`, nameSpan: toSpan(key) }
    case 'Literal':
      return { name: String(key.value), nameSpan: toSpan(key) }
    default:
      return { name: sliceSpan(text, key), nameSpan: null }
  }
}

export function drawInterface(
  source: Source,
  body: TSInterfaceBody,
): Pick<Drawn, 'container' | 'children'> {
  const inside = toInside(body)
  const children = body.body.map((signature) => {
    const own = trimSeparator(source, signature)
    const described = { ...describeSignature(source, signature), own, body: null, ...LEAF }
    return draw(source, described, inside, ';,')
  })
  return { container: { inside, separator: ';' }, children }
}

/** Overloads are tried in the order of the text. */
function describeSignature(
  source: Source,
  signature: TSSignature,
): Pick<Drawn, 'kind' | 'name' | 'nameSpan' | 'order'> {
  switch (signature.type) {
    case 'TSPropertySignature':
      return {
        kind: 'property',
        order: 'free',
        ...describeKey(source, signature.key, signature.computed),
      }
    case 'TSMethodSignature':
      return {
        kind: 'method',
        order: 'fixed',
        ...describeKey(source, signature.key, signature.computed),
      }
    case 'TSCallSignatureDeclaration':
      return { kind: 'call', name: 'call', nameSpan: null, order: 'fixed' }
    case 'TSConstructSignatureDeclaration':
      return { kind: 'construct', name: 'new', nameSpan: null, order: 'fixed' }
    case 'TSIndexSignature':
      return { kind: 'index', name: 'index', nameSpan: null, order: 'free' }
  }
}

/** The parser counts the separator of a signature as a part of it; we do not. */
function trimSeparator({ text }: Source, { start, end }: Span): Span {
  const last = text[end - 1]
  return last === ';' || last === ',' ? { start, end: end - 1 } : { start, end }
}

/** A member without a value takes its number from the one before it. */
export function drawEnum(
  source: Source,
  { body }: TSEnumDeclaration,
): Pick<Drawn, 'container' | 'children'> {
  const inside = toInside(body)
  const children = body.members.map((member) => {
    const key = describeKey(source, member.id, member.computed)
    const value = member.initializer === null ? null : toSpan(member.initializer)
    const drawn: Drawn = {
      kind: 'member',
      ...key,
      own: member,
      body: value,
      order: 'fixed',
      ...LEAF,
    }
    return draw(source, drawn, inside, ',')
  })
  return { container: { inside, separator: ',' }, children }
}

/** Keys of an object are fixed: they are listed in their order, and a later one overwrites an earlier one. */
export function drawObject(
  source: Source,
  object: ObjectExpression,
): Pick<Drawn, 'container' | 'children'> {
  const inside = toInside(object)
  const children = object.properties.map((property) => {
    const own = property
    if (property.type === 'SpreadElement') {
      const name = sliceSpan(source.text, property.argument)
      const spread = { kind: 'spread', name, own, nameSpan: null, body: null, ...LEAF } as const
      return draw(source, { ...spread, order: 'fixed' }, inside, ',')
    }
    const key = describeKey(source, property.key, property.computed)
    const value: Expression | Node = property.value
    const within = value.type === 'ObjectExpression' ? drawObject(source, value) : LEAF
    const body = property.shorthand ? null : findValueBody(value)
    const drawn: Drawn = { kind: 'property', ...key, own, body, order: 'fixed', ...within }
    return draw(source, drawn, inside, ',')
  })
  return { container: { inside, separator: ',' }, children }
}

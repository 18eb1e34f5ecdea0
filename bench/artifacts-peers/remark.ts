/** The edits by remark: the tree is changed, and the document written anew. */
import type { Root, RootContent } from 'mdast'
import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { type AskedEdit, serveEdits } from './serve.ts'

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkFrontmatter)
  .use(remarkStringify)

await serveEdits(({ text }, edit) => {
  const tree = processor.parse(text)
  tree.children = change(tree, edit)
  return processor.stringify(tree)
})

function change({ children }: Root, { op, own, text }: AskedEdit): RootContent[] {
  const put = processor.parse(text).children
  const isInside = (node: RootContent): boolean => {
    const at = node.position?.start.offset ?? -1
    return at >= own[0] && at < own[1]
  }
  const first = children.findIndex(isInside)
  const behind = children.findLastIndex(isInside) + 1
  if (first < 0) throw new Error('no section is there')
  const [head, tail] = [children.slice(0, first), children.slice(behind)]
  switch (op) {
    case 'add':
      return [...children.slice(0, behind), ...put, ...tail]
    case 'replace':
      return [...head, ...children.slice(first, first + 1), ...put, ...tail]
    case 'remove':
      return [...head, ...tail]
    case 'rename':
      throw new Error('nothing is renamed in a document')
  }
}

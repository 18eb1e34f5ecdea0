/** What agents can call: tools of MCP servers against what was approved, and actions of the rules; and what they made of them. */
import { type ReactNode, useEffect } from 'react'
import type { McpServers, McpTool, McpTools } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { type Replied, useReply } from '../../api/use-reply.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { ListDetail } from '../../parts/list-detail.tsx'
import { Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { getToolStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { ActionTable } from './action-table.tsx'
import { ConversationList } from './conversation-list.tsx'
import { ServerTable } from './server-table.tsx'
import { ToolDetail } from './tool-detail.tsx'
import { describeClass } from './tool-words.ts'
import './tools.css'

const COLUMNS: readonly Column<McpTool>[] = [
  { head: 'tool', cell: (row) => <AgentText text={toToolId(row)} /> },
  { head: 'state', cell: ({ state }) => <Status {...getToolStanding(state)} />, hand: 'corner' },
  { head: 'waiting', cell: ({ waiting }) => (waiting === 0 ? '' : waiting), number: true },
]
/** Where no tool is open beside them there is room for more. */
const ALL_COLUMNS: readonly Column<McpTool>[] = [
  ...COLUMNS.slice(0, 2),
  { head: 'class', cell: describeClass, wide: true },
  { head: 'accepted', cell: ({ calls }) => calls.accepted, number: true, wide: true },
  { head: 'rejected', cell: ({ calls }) => calls.rejected, number: true, wide: true },
  { head: 'asked', cell: ({ calls }) => calls.escalated, number: true, wide: true },
  ...COLUMNS.slice(2),
]

/** Entries after which something else waits. Every look asks the servers, so that calls alone are no reason. */
const MOVING: readonly string[] = ['pending_approval', 'approval']

export function ToolsPage({ id }: { readonly id: string }): ReactNode {
  const servers = useReply('mcp servers', (client, signal) => client.listMcpServers({ signal }))
  const tools = useReply('mcp tools', (client, signal) => client.listMcpTools({ signal }))
  const { again: lookAtServers } = servers
  const { reply, again: look } = tools
  // Whoever is asked for its tools is started for that: how it is then is what counts.
  useEffect(() => {
    if (reply.state !== 'loading') lookAtServers()
  }, [reply, lookAtServers])
  useBell(({ kind }) => MOVING.includes(kind), look)
  return (
    <Page
      name="tools"
      actions={
        <button type="button" onClick={look}>
          Ask the servers again
        </button>
      }
    >
      <ListDetail
        list={<Lists id={id} servers={servers} tools={tools} />}
        detail={id === '' ? null : <OpenTool key={id} id={id} tools={tools} />}
      />
    </Page>
  )
}

/** `SERVER/TOOL`, as the address has it. */
function toToolId({ server, tool }: McpTool): string {
  return `${server}/${tool}`
}

function Lists({
  id,
  servers,
  tools,
}: {
  readonly id: string
  readonly servers: Replied<McpServers>
  readonly tools: Replied<McpTools>
}): ReactNode {
  const { reply, again } = servers
  if (reply.state === 'loading') return <Loading what="servers" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  if (reply.value.file === null)
    return (
      <>
        <Empty
          what="This server has no gateway to MCP servers. Start it with an MCP file:"
          command="npx rubicon up --mcp mcp.yaml"
        />
        <ActionTable />
      </>
    )
  return (
    <>
      {id === '' ? (
        <ServerTable servers={reply.value} isAsking={tools.reply.state === 'loading'} />
      ) : null}
      <ToolList id={id} tools={tools} />
      {id === '' && reply.value.agent !== null ? (
        <ConversationList agent={reply.value.agent} />
      ) : null}
      {id === '' ? <ActionTable /> : null}
    </>
  )
}

function ToolList({
  id,
  tools,
}: {
  readonly id: string
  readonly tools: Replied<McpTools>
}): ReactNode {
  const { reply, again } = tools
  if (reply.state === 'loading') return <Loading what="tools" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  if (reply.value.tools.length === 0)
    return <Empty what="No server lists a tool." command="npx rubicon mcp tools" />
  return (
    <>
      <Rows
        label="tools"
        rows={reply.value.tools}
        columns={id === '' ? ALL_COLUMNS : COLUMNS}
        keyOf={toToolId}
        hrefOf={({ server, tool }) =>
          `/tools/${encodeURIComponent(server)}/${encodeURIComponent(tool)}`
        }
        selected={id}
      />
      <p className="quiet small tools-counted">
        Calls are counted among the last {reply.value.counted.decisions} decisions.
      </p>
    </>
  )
}

function OpenTool({
  id,
  tools: { reply, again },
}: {
  readonly id: string
  readonly tools: Replied<McpTools>
}): ReactNode {
  if (reply.state === 'loading') return <Loading what="the tool" shape="detail" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  const found = reply.value.tools.find((one) => toToolId(one) === id)
  if (found === undefined)
    return <Empty what="No server lists this tool, and nobody approved it." />
  return <ToolDetail tool={found} changed={again} />
}

/** Where MCP clients keep their settings: those of a project first, then those of the person. */
import { join } from 'node:path'

export type ClientPlaces = {
  readonly folder: string
  readonly home: string
  readonly platform: NodeJS.Platform
  /** `%APPDATA%` of Windows. */
  readonly appData: string | undefined
}

export function listClientPlaces({
  folder,
  home,
  platform,
  appData,
}: ClientPlaces): readonly string[] {
  const settings: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: appData ?? join(home, 'AppData', 'Roaming'),
  }
  const own = settings[platform] ?? join(home, '.config')
  return [
    join(folder, '.mcp.json'),
    join(folder, '.vscode', 'mcp.json'),
    join(folder, '.cursor', 'mcp.json'),
    join(own, 'Claude', 'claude_desktop_config.json'),
    join(home, '.cursor', 'mcp.json'),
    join(own, 'Code', 'User', 'mcp.json'),
  ]
}

import type { NotDone, Refused, Unknown } from '../../../../ports/poster.ts';
import { BUSY, type CallOutcome } from './call-outcome.ts';

/** An administrator can put it right, and then it is posted: it stays owed. */
const UNTIL_PUT_RIGHT = [
  'access_denied',
  'accesslimited',
  'account_inactive',
  'ekm_access_denied',
  'invalid_auth',
  'message_limit_exceeded',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'not_authed',
  'not_in_channel',
  'org_login_required',
  'team_access_not_granted',
  'team_added_to_org',
  'token_expired',
  'token_revoked',
];
const PUT_RIGHT_MS = 60_000;

/** Whatever is said, it cannot be said there. */
const NEVER = [
  'as_user_not_supported',
  'cannot_reply_to_message',
  'cant_delete_message',
  'cant_update_message',
  'channel_not_found',
  'edit_window_closed',
  'invalid_thread_ts',
  'is_archived',
  'is_inactive',
  'restricted_action',
  'restricted_action_non_threadable_channel',
  'restricted_action_read_only_channel',
  'restricted_action_thread_locked',
  'restricted_action_thread_only_channel',
  'slack_connect_blocked_file_type',
  'thread_not_found',
];

/** What a call that was not done means to the delivery. Absent: Slack's word is about what was said, not about where. */
export function undone(outcome: Exclude<CallOutcome, { kind: 'ok' }>): NotDone | Refused | Unknown | undefined {
  switch (outcome.kind) {
    case 'unknown':
      return outcome;
    case 'not-sent': {
      const { why, retryAfterMs } = outcome;
      const untried = why === BUSY && { untried: true as const };
      return { kind: 'not-done', why, ...untried, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    }
    case 'no': {
      const { error } = outcome;
      if (UNTIL_PUT_RIGHT.includes(error)) return { kind: 'not-done', why: error, retryAfterMs: PUT_RIGHT_MS };
      return NEVER.includes(error) ? { kind: 'refused', why: error } : undefined;
    }
  }
}

import { ErrorCode } from '@slack/web-api';

/** The code that Slack refuses a call with; `not refused` where it did not. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    const { code, data } = error as { code?: string; data?: { error?: string } };
    if (code === ErrorCode.PlatformError) return data?.error ?? '';
    throw error;
  }
  return 'not refused';
}

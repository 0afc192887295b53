// Notices of the browser about approvals, for those who look elsewhere.

import type { Approval } from './types';

/** unknown: the browser has none. */
export type NoticeState = NotificationPermission | 'unknown';

export function noticesAre(): NoticeState {
  return typeof Notification === 'undefined' ? 'unknown' : Notification.permission;
}

export async function askForNotices(): Promise<NoticeState> {
  return noticesAre() === 'unknown' ? 'unknown' : Notification.requestPermission();
}

/** One for each that was not there before; nobody is told what he already sees. */
export function noticeNew(before: ReadonlySet<string>, now: Approval[], open: () => void): void {
  if (noticesAre() !== 'granted') return;
  for (const approval of now.filter((one) => !before.has(one.request_id))) {
    try {
      const notice = new Notification('An approval waits', { body: approval.description, tag: approval.request_id });
      notice.onclick = () => (window.focus(), open(), notice.close());
    } catch {
      // Some browsers on phones know the permission but not the constructor.
      return;
    }
  }
}

import { Button } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useBrandName } from '#web/client/session.ts';
import { Brand } from '#web/ui/brand.tsx';
import styles from './not-found-page.module.css';

/** The not-found page, in Korean and English. */
export function NotFoundPage() {
  const router = useRouter();
  const brand = useBrandName();
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <a href="/">
        <Brand name={brand} />
      </a>
      <svg viewBox="0 0 96 72" className={styles.drawing} aria-hidden="true">
        <path d="M12 68V10a6 6 0 0 1 6-6h60a6 6 0 0 1 6 6v30l-12 8 10 8-14 12zM20 4v64M28 20h48M28 36h40" />
      </svg>
      <div lang="ko">
        <h1>페이지를 찾을 수 없습니다</h1>
        <p className="dim">주소가 틀렸거나 페이지가 옮겨졌습니다.</p>
      </div>
      <div lang="en" className={styles.english}>
        <p className={styles.englishTitle}>Page not found</p>
        <p className="small dimmer">The address may be wrong, or the page has moved.</p>
      </div>
      <div className={styles.actions}>
        <Button component="a" href="/">
          <span>
            <span lang="ko">홈으로</span> · <span lang="en">Home</span>
          </span>
        </Button>
        <Button variant="default" onClick={() => router.history.back()}>
          <span>
            <span lang="ko">뒤로 가기</span> · <span lang="en">Back</span>
          </span>
        </Button>
      </div>
    </main>
  );
}

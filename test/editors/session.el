;; A session of Emacs with Eglot: opens programs, asks what a user would ask, and writes what it saw as JSON.
;; emacs --batch -l recipe.el -l session.el PROBLEMS PROGRAM ANSWER
(require 'json)
(require 'xref)

(defun wait-for (what seconds)
  "Lets processes and timers go on until WHAT answers something, at most so many SECONDS."
  (let ((end (+ (float-time) seconds)) found)
    (while (and (not (setq found (funcall what))) (< (float-time) end))
      (accept-process-output nil 0.1))
    found))

(defun open-program (file)
  "Opens FILE as a user does, and waits until its server is there."
  (find-file file)
  (run-hooks 'post-command-hook)
  (or (wait-for #'eglot-current-server 300) (error "no server for %s" file)))

(defun stand-at (text)
  "Goes to the first TEXT of the program."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun seen-problems ()
  (flymake-start)
  (mapcar (lambda (found)
            `((line . ,(line-number-at-pos (flymake-diagnostic-beg found)))
              (message . ,(substring-no-properties (flymake-diagnostic-text found)))))
          (flymake-diagnostics)))

(defun seen-completions ()
  (let* ((found (eglot-completion-at-point))
         (table (nth 2 found)))
    (vconcat (mapcar #'substring-no-properties (all-completions (buffer-substring (nth 0 found) (nth 1 found)) table)))))

(defun seen-hover ()
  (let (told)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq told (and text (substring-no-properties text)))))
    (wait-for (lambda () told) 300)))

;; The user lets files be changed that are not open.
(fset 'y-or-n-p (lambda (&rest _) t))

(let* ((problems-file (nth 0 command-line-args-left))
       (program-file (nth 1 command-line-args-left))
       (answer (nth 2 command-line-args-left))
       (seen '()))
  (setq command-line-args-left nil)
  (open-program problems-file)
  (push (cons 'problems (vconcat (wait-for #'seen-problems 300))) seen)
  (open-program program-file)
  (stand-at "controls(X, Y)")
  (push (cons 'hover (seen-hover)) seen)
  (stand-at "head(X) <- controls(X")
  (goto-char (+ (point) (length "head(X) <- c")))
  (push (cons 'completions (seen-completions)) seen)
  (stand-at "votes(X, Z, Y, Q) <- controls")
  (goto-char (+ (point) (length "votes(X, Z, Y, Q) <- con")))
  (push (cons 'definitions
              (vconcat (mapcar (lambda (found) (xref-location-line (xref-item-location found)))
                               (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
        seen)
  (eglot-rename "decides")
  (push (cons 'renamed (count-matches "\\_<decides(" (point-min) (point-max))) seen)
  (push (cons 'left (count-matches "\\_<controls(" (point-min) (point-max))) seen)
  (goto-char (point-max))
  (insert "ugly(X)<-stake( X,_,Q ),Q>3.\n")
  (eglot-format-buffer)
  (push (cons 'formatted (progn (goto-char (point-max)) (forward-line -1) (buffer-substring (point) (line-end-position)))) seen)
  (push (cons 'comment comment-start) seen)
  (with-temp-file answer (insert (json-encode seen))))
(kill-emacs 0)
